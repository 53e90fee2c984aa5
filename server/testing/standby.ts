import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFile, chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findBinaries } from "../data/embedded/binaries.ts";
import { readPidFile, spawnServer, waitForExit } from "../data/embedded/cluster.ts";
import { findFreePort } from "../data/embedded/free-port.ts";
import { findDatabaseUser } from "../data/embedded/system-user.ts";
import { withClient } from "../data/postgres-client.ts";
import { query, whenReady } from "./database-server.ts";

const run = promisify(execFile);

/** A running server, and the folder of its cluster. */
type Primary = { url: string; folder: string };

/** Copies a server as its streaming standby. Call `stop` at the end. */
export async function startStandby(primary: Primary) {
  const user = await findDatabaseUser();
  const dataDir = await mkdtemp(join(tmpdir(), "blog-standby-"));
  if (user) await chmod(dataDir, 0o755);
  const folder = join(dataDir, "postgres");
  const cluster = { binaries: await findBinaries(user), user, folder, password: "" };
  // Otherwise the primary removes the log that the standby needs, as soon as other tests cause a checkpoint.
  const slot = `standby_${randomBytes(6).toString("hex")}`;
  await query(primary.url, `SELECT pg_create_physical_replication_slot('${slot}', true)`);
  await copyCluster(primary, folder);
  const files = ["standby.signal", "backup_label", "postgresql.auto.conf"].map((name) => join(folder, name));
  await writeFile(join(folder, "standby.signal"), "");
  const settings = [`primary_conninfo = '${primary.url}'`, `primary_slot_name = '${slot}'`];
  await appendFile(join(folder, "postgresql.auto.conf"), `${settings.join("\n")}\n`);
  if (user) for (const file of files) await chown(file, user.uid, user.gid);
  const port = await findFreePort();
  const url = Object.assign(new URL(primary.url), { port: String(port) }).href;
  const start = async () => {
    await spawnServer(cluster, port, join(dataDir, "log"));
    await whenReady(url, 90_000);
  };
  await start();
  return {
    url,
    folder,
    start,
    /** Ends all processes of the server at once. */
    kill: () => end(folder, "SIGQUIT"),
    pause: () => query(url, "SELECT pg_wal_replay_pause()"),
    resume: () => query(url, "SELECT pg_wal_replay_resume()"),
    promote: () => query(url, "SELECT pg_promote()"),
    /** Delays the replay by milliseconds. */
    delay: async (milliseconds: number) => {
      await query(url, `ALTER SYSTEM SET recovery_min_apply_delay = ${milliseconds}`);
      await query(url, "SELECT pg_reload_conf()");
    },
    stop: async () => {
      await stop(folder, dataDir);
      await query(primary.url, `SELECT pg_drop_replication_slot('${slot}')`);
    },
  };
}

/** Files may disappear meanwhile, which the replay expects. */
async function copyCluster({ url, folder: source }: Primary, folder: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query("SELECT pg_backup_start('standby', true)");
    await run("cp", ["-a", source, folder]).catch((error: { stderr?: string }) => {
      if (!error.stderr?.includes("No such file")) throw error;
    });
    const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop(false)");
    await writeFile(join(folder, "backup_label"), rows[0]?.labelfile ?? "");
    for (const name of ["postmaster.pid", "postmaster.opts"]) await rm(join(folder, name));
  });
}

async function end(folder: string, signal: "SIGINT" | "SIGQUIT"): Promise<void> {
  const running = await readPidFile(folder);
  if (!running) return;
  process.kill(running.pid, signal);
  await waitForExit(folder, running.pid, 10_000);
}

async function stop(folder: string, dataDir: string): Promise<void> {
  await end(folder, "SIGINT");
  await rm(dataDir, { recursive: true, force: true });
}
