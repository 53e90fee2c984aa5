import { readFile, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { withAdvisoryLock } from "./advisory-locks.ts";
import { withSchemaEngine } from "./schema-engine.ts";

const MIGRATIONS = resolve("prisma/migrations");
const WAITING = "another process migrates the database: waiting for it";
const TABLES_IN_USE =
  "a backup or another long transaction uses the tables: waiting for its end before they are changed";
/** Milliseconds that no statement of the blog takes, and between two looks at the transactions. */
const [LONG, PAUSE] = [5_000, 500];

/**
 * Applies the pending migrations of prisma/migrations and records them in Prisma's `_prisma_migrations` table, so that
 * `prisma migrate deploy` stays usable.
 * @param prepareMore runs afterwards under the same advisory lock
 * @returns the names of the newly applied migrations
 */
export async function migrate(
  databaseUrl: string,
  prepareMore: (client: pg.Client) => Promise<void> = async () => {},
  progress: (line: string) => void = () => {},
): Promise<string[]> {
  const work = async (client: pg.Client) => {
    const applied = await applyPending(databaseUrl, client, progress);
    await prepareMore(client);
    return applied;
  };
  return withAdvisoryLock(databaseUrl, "migrations", work, () => progress(WAITING));
}

async function applyPending(
  databaseUrl: string,
  client: pg.Client,
  progress: (line: string) => void,
): Promise<string[]> {
  const migrations = await readMigrations();
  if (await isUpToDate(client, migrations)) return [];
  const input = {
    migrationsList: {
      baseDir: MIGRATIONS,
      lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"\n' },
      shadowDbInitScript: "",
      migrationDirectories: migrations,
    },
    filters: { externalTables: [], externalEnums: [] },
  };
  await rollBackUnfinished(client);
  await waitForTransactions(client, progress);
  const { appliedMigrationNames } = await withSchemaEngine(
    databaseUrl,
    undefined,
    (engine) => engine.applyMigrations(input),
    () => progress(TABLES_IN_USE),
  );
  return appliedMigrationNames;
}

/**
 * Marks migrations whose process was killed as rolled back, which PostgreSQL has done: a script and the time at which it
 * finished are one transaction. Prisma's engine would refuse every further start.
 */
async function rollBackUnfinished(client: pg.Client): Promise<void> {
  if (!(await hasHistory(client))) return;
  await client.query(
    "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL",
  );
}

/**
 * Waits for transactions that have held a lock of a table for long, such as backups: every other statement of the table would
 * wait behind a migration that waits for them. Locks of autovacuum do not count, which yields to a migration.
 */
async function waitForTransactions(client: pg.Client, progress: (line: string) => void): Promise<void> {
  let [since, began] = [new Map<string, number>(), 0];
  for (let round = 0; ; round++) {
    const running = await findTransactions(client);
    const now = performance.now();
    if (round === 0) began = now;
    since = new Map(running.map((id) => [id, since.get(id) ?? now]));
    const longest = Math.max(0, ...[...since.values()].map((first) => now - first));
    if (running.length === 0 || (round > 0 && longest < Math.min(now - began, LONG))) return;
    if (round === 1) progress(TABLES_IN_USE);
    await sleep(PAUSE);
  }
}

async function findTransactions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT DISTINCT virtualtransaction AS id FROM pg_locks JOIN pg_class ON pg_class.oid = relation
      WHERE locktype = 'relation' AND relkind = 'r' AND relnamespace = 'public'::regnamespace AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND mode <> 'ShareUpdateExclusiveLock' AND pid <> pg_backend_pid()`,
  );
  return rows.map(({ id }) => id);
}

async function hasHistory(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`SELECT to_regclass('_prisma_migrations') AS "table"`);
  return rows[0].table !== null;
}

/** The migrations of this release, sorted by name. */
export async function readMigrations() {
  const entries = await readdir(MIGRATIONS, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const value = await readFile(join(MIGRATIONS, name, "migration.sql"), "utf8");
      return { path: name, migrationFile: { path: "migration.sql", content: { tag: "ok" as const, value } } };
    }),
  );
}

/** Avoids loading the schema engine if no migration is pending. */
async function isUpToDate(client: pg.Client, migrations: { path: string }[]): Promise<boolean> {
  const applied = new Set(await readHistory(client));
  return migrations.every((migration) => applied.has(migration.path));
}

/** The names of the applied migrations; empty for a database without a blog. */
export async function readHistory(client: pg.Client): Promise<string[]> {
  if (!(await hasHistory(client))) return [];
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return rows.map((row) => row.name);
}

/**
 * Creates the extension for misspelt words and its indexes, if they are missing.
 * @returns whether the database has it; the search works without it
 */
export async function prepareSearch(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>("SELECT prepare_search() AS has");
  return rows[0]?.has === true;
}
