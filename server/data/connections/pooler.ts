import type pg from "pg";
import { Client } from "../postgres-client.ts";

const ROUNDS = 3;

/**
 * Whether a URL leads to a transaction pooler, such as PgBouncer with `pool_mode = transaction`. Session state does
 * not work there: prepared statements, settings, LISTEN, advisory locks. The check opens two connections. Only such a
 * pooler gives both the same backend, or changes the backend of one.
 */
export async function sharesBackends(url: string): Promise<boolean> {
  const limits = { connectionTimeoutMillis: 10_000, query_timeout: 10_000 };
  const clients = [0, 1].map(() => new Client({ connectionString: url, ...limits }));
  for (const client of clients) client.on("error", () => undefined);
  try {
    for (const client of clients) await client.connect();
    for (let round = 0; round < ROUNDS; round++) if (await detectSharing(clients)) return true;
    return false;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

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

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return rows[0]?.pid;
}
