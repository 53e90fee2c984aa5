import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { INITDB, makeFolder, runPostgresCommand, startPostgresIn } from "../../deploy/testing/programs.ts";
import { openPart } from "./part.ts";

/** A commit waits for the disk of the primary and of one standby. The name of the primary itself has no effect. */
const SETTINGS = `
synchronous_standby_names = 'ANY 1 (a, b, c)'
wal_log_hints = on
wal_keep_size = 512MB
max_connections = 200
shared_buffers = 256MB
log_min_duration_statement = 1000
log_lock_waits = on
`;

type Run = (...statements: string[]) => Promise<Record<string, string>>;

export function openNode(name: string, port: number) {
  const folder = makeFolder(`rehearsal-${name}`);
  const data = join(folder, "data");
  const server = `host=127.0.0.1 port=${port} user=blog dbname=postgres`;
  const urlOf = (database: string) => `postgresql://blog@127.0.0.1:${port}/${database}`;
  const part = openPart(`PostgreSQL ${name}`, () => startPostgresIn(data, port));
  const run: Run = (...statements) => runOn(urlOf("postgres"), ...statements);

  return {
    ...part,
    /** Its `cluster_name`, which is the name of its connection to the primary. */
    cluster: name,
    folder,
    port,
    url: urlOf("blog"),
    server,
    run,
    create(): void {
      runPostgresCommand("initdb", "--pgdata", data, ...INITDB);
      appendFileSync(join(data, "postgresql.conf"), `${SETTINGS}cluster_name = '${name}'\n`);
      appendFileSync(join(data, "pg_hba.conf"), "host replication blog 127.0.0.1/32 trust\n");
    },
    /** Becomes a standby, with a copy of the primary's data. */
    copy(primary: { server: string }): void {
      rmSync(data, { recursive: true, force: true });
      const args = ["--pgdata", data, "--write-recovery-conf", "--checkpoint=fast", "--no-sync"];
      runPostgresCommand("pg_basebackup", ...args, "--dbname", primary.server);
      appendFileSync(join(data, "postgresql.auto.conf"), `cluster_name = '${name}'\n`);
    },
    /** A former primary becomes a standby: what it alone has is undone. @returns how */
    rejoin(primary: { server: string }): "pg_rewind" | "a new copy" {
      try {
        const args = ["--target-pgdata", data, "--source-server", primary.server, "--write-recovery-conf"];
        runPostgresCommand("pg_rewind", ...args, "--no-sync");
        appendFileSync(join(data, "postgresql.auto.conf"), `cluster_name = '${name}'\n`);
        return "pg_rewind";
      } catch {
        this.copy(primary);
        return "a new copy";
      }
    },
    follow: (primary: { server: string }) =>
      run(`ALTER SYSTEM SET primary_conninfo = '${primary.server}'`, "SELECT pg_reload_conf()"),
    // Until the checkpoint pg_rewind would find the timeline of the former primary, and rewind nothing.
    promote: () => run("SELECT pg_promote()", "CHECKPOINT"),
    /** How much of the primary's log it has stored. */
    received: async () =>
      BigInt((await run("SELECT pg_last_wal_receive_lsn() - '0/0' AS bytes"))["bytes"] ?? 0),
    /** The clusters that receive its log now. */
    async followers(): Promise<string[]> {
      const { names } = await run(
        "SELECT string_agg(application_name, ',') AS names FROM pg_stat_replication WHERE state = 'streaming'",
      );
      return names?.split(",") ?? [];
    },
    async hasCaughtUp(primary: { run: Run }): Promise<boolean> {
      const { lsn } = await primary.run("SELECT pg_current_wal_lsn() AS lsn");
      const { done } = await run(
        `SELECT coalesce(pg_last_wal_replay_lsn() >= '${lsn}', false)::text AS done`,
      );
      return done === "true";
    },
  };
}

/** @returns the first row of the last statement */
export async function runOn(url: string, ...statements: string[]): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    let row: Record<string, string> = {};
    for (const statement of statements) row = (await client.query(statement)).rows[0] ?? {};
    return row;
  } finally {
    await client.end();
  }
}
