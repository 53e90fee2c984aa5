import type pg from "pg";
import { Client } from "../postgres-client.ts";

const ROUNDS = 3;

/**
 * Of the pooler that a URL leads to, such as PgBouncer's `pool_mode`. In mode `transaction` session state does not
 * work: prepared statements, settings, LISTEN, advisory locks. In both modes a connection that ends with several
 * statements outstanding may give their results to the pooler's next client (PgBouncer 1.18).
 */
export type PoolMode = "transaction" | "session";

/** Null without a pooler. Opens two connections. Rejects if they do not get UTC. */
export async function findPoolMode(
  url: string,
  stream?: pg.ClientConfig["stream"],
): Promise<PoolMode | null> {
  const limits = { connectionTimeoutMillis: 10_000, query_timeout: 10_000 };
  const clients = [0, 1].map(() => new Client({ connectionString: url, stream, ...limits }));
  for (const client of clients) client.on("error", () => undefined);
  try {
    for (const client of clients) {
      await client.connect();
      await requireUtc(client);
    }
    for (let round = 0; round < ROUNDS; round++) if (await detectSharing(clients)) return "transaction";
    return (await Promise.all(clients.map(isPooled))).includes(true) ? "session" : null;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

async function requireUtc(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ zone: string }>("SELECT current_setting('TimeZone') AS zone");
  if (rows[0]?.zone !== "UTC")
    throw new Error(
      "its pooler does not pass on the time zone UTC, which ALTER DATABASE … SET timezone TO 'UTC' makes the default",
    );
}

/** Only a pooler in mode `transaction` gives two connections the same backend, or changes the backend of one. */
async function detectSharing([first, second]: pg.Client[]): Promise<boolean> {
  if (!first || !second) return false;
  const before = await backendOf(first);
  await second.query("BEGIN");
  try {
    const other = await backendOf(second);
    return other === before || (await backendOf(first)) !== before;
  } finally {
    await second.query("ROLLBACK");
  }
}

/** A pooler gives its clients process numbers of its own, to cancel statements by. */
export async function isPooled(client: pg.Client): Promise<boolean> {
  const { processID } = client as pg.Client & { processID?: number };
  return (await backendOf(client)) !== processID;
}

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return rows[0]?.pid;
}
