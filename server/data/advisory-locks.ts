import type pg from "pg";
import { Client } from "./postgres-client.ts";

/** Arbitrary constants, the same in all processes. */
const LOCKS = {
  migrations: 4_206_940_001,
  "first content": 4_206_940_002,
  "media move": 4_206_940_003,
  purges: 4_206_940_004,
};

/** Runs work on the connection that holds the lock. `url` must bypass transaction poolers, which share sessions. */
export async function withAdvisoryLock<T>(
  url: string,
  name: keyof typeof LOCKS,
  work: (client: pg.Client) => Promise<T>,
  onWait?: () => void,
): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A lost connection must not crash the process; the next statement reports it.
  client.on("error", () => undefined);
  await client.connect();
  try {
    if (!(await tryLock(client, name))) {
      onWait?.();
      await client.query("SELECT pg_advisory_lock($1)", [LOCKS[name]]);
    }
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Takes the lock until the connection ends, if nobody holds it.
 * @param idle milliseconds without a statement, after which PostgreSQL ends the connection: its process hangs, or its host is gone
 */
export async function tryAdvisoryLock(
  client: pg.Client,
  name: keyof typeof LOCKS,
  idle: number,
): Promise<boolean> {
  if (!(await tryLock(client, name))) return false;
  await client.query(`SET idle_session_timeout = ${idle}`);
  return true;
}

async function tryLock(client: pg.Client, name: keyof typeof LOCKS): Promise<boolean> {
  const { rows } = await client.query<{ isLocked: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS "isLocked"',
    [LOCKS[name]],
  );
  return rows[0]?.isLocked === true;
}
