import pg from "pg";

/** Any fixed numbers: processes that start together take turns by them. */
const LOCKS = { migrations: 4_206_940_001, "first content": 4_206_940_002 };

/**
 * Lends a connection on which no other process does the same.
 * @param url past any pooler: the lock belongs to the connection
 */
export async function withAdvisoryLock<T>(
  url: string,
  name: keyof typeof LOCKS,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A connection that is lost while the work goes on is reported by the next statement, and ends no process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [LOCKS[name]]);
    return await work(client);
  } finally {
    await client.end();
  }
}
