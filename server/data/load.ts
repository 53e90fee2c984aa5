import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { conflict, quotable } from "../errors.ts";
import { withAdvisoryLock } from "./advisory-locks.ts";
import { migrate, readHistory, readMigrations } from "./migrations.ts";
import { recountRows, refuseForeignValues } from "./restored-values.ts";
import { EXCLUDED_TABLES, quote, readTables, type Table } from "./tables.ts";

type Load = {
  databaseUrl: string;
  folder: string;
  migrations: string[];
  tables: Table[];
  replace: boolean;
  /** Runs after all writes, before the commit. */
  beforeCommit: () => Promise<void>;
  progress: (line: string) => void;
};

/**
 * Replaces all tables with those of a backup in one transaction. It creates the tables of the backup's release, fills
 * them and applies the later migrations, so that an older backup fits the current release.
 * @throws CONFLICT if the backup or the database is of a newer release, the backup does not fit its release, the blog is
 * running, or it is not empty and `replace` is false
 */
export async function loadTables({ databaseUrl, replace, ...load }: Load): Promise<void> {
  const migrations = await readMigrations();
  const isInBackup = (name: string) => load.migrations.includes(name);
  if (!load.migrations.every((name) => migrations.some(({ path }) => path === name)))
    throw conflict("The backup was made by a newer release of the blog: update it first.");
  await migrate(databaseUrl);
  await withAdvisoryLock(databaseUrl, "migrations", async (client) => {
    await requireStopped(client);
    const newer = (await readHistory(client)).filter((name) => !migrations.some(({ path }) => path === name));
    if (newer.length > 0)
      throw conflict(
        "The database was migrated by a newer release, whose tables would stay: restore into a new, empty one.",
      );
    rejectLeftOutTables(load.tables);
    if (!replace) await requireEmpty(client);
    await client.query("BEGIN; SET LOCAL lock_timeout = '10s'");
    try {
      await dropMigratedObjects(client, migrations.map(sqlOf));
      for (const migration of migrations.filter(({ path }) => isInBackup(path)))
        await client.query(sqlOf(migration));
      await fillTables(client, load);
      // Backups contain no unsent emails; a manipulated file must not make the blog send any.
      await client.query('DELETE FROM "Letter" WHERE "sentAt" IS NULL');
      for (const migration of migrations.filter(({ path }) => !isInBackup(path)))
        await client.query(sqlOf(migration));
      await refuseForeignValues(client, await readTables(client));
      await recountRows(client);
      for (const pending of ["PostHtml", "UnindexedPost", "RelatedState"])
        await client.query(
          `INSERT INTO ${quote([pending])} ("postId") SELECT id FROM "Post" ON CONFLICT DO NOTHING`,
        );
      await client.query(UNSCHEDULE);
      await load.beforeCommit();
    } catch (error) {
      await client.query("ROLLBACK");
      if (!(error instanceof pg.DatabaseError)) throw error;
      const reason = quotable(error.message);
      throw conflict(`The backup does not fit the blog's tables, so nothing was changed: ${reason}`);
    }
    await client.query("COMMIT");
    await client.query("ANALYZE");
  });
}

/** Authors may have removed a draft's time, or the draft, since the backup: the first start would publish it. */
const UNSCHEDULE = `UPDATE "Draft" SET "publishAt" = NULL, version = version + 1,
    "publishError" = 'the blog was restored from a backup, please choose the time again'
  WHERE "publishAt" IS NOT NULL`;

const sqlOf = ({ migrationFile }: Awaited<ReturnType<typeof readMigrations>>[number]) =>
  migrationFile.content.value;

/** Rejects tables that backups leave out, for instance unsanitized HTML or sessions. @throws CONFLICT */
function rejectLeftOutTables(tables: Table[]): void {
  const foreign = tables.find(({ name }) => EXCLUDED_TABLES.includes(name));
  if (foreign) throw conflict(`The backup holds ${foreign.name}, which no backup of the blog does.`);
}

/** A running blog has cached responses and would continue to write. A pooler keeps connections with the name `blog`. @throws CONFLICT */
async function requireStopped(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'blog %'",
  );
  if (rowCount !== 0) throw conflict("The blog is running: stop it first.");
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const found: string[] = [];
  for (const { name } of await readTables(client)) {
    const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${quote([name])}`);
    if (rows[0]?.count !== "0") found.push(`${name}: ${rows[0]?.count}`);
  }
  if (found.length > 0)
    throw conflict(
      `This blog is not empty (${found.join(", ")}): --replace deletes all of that and restores the backup.`,
    );
}

/** Drops only the objects of the blog's migrations: the database may contain foreign tables. */
async function dropMigratedObjects(client: pg.Client, migrations: string[]): Promise<void> {
  const created =
    /^\s*CREATE (?:OR REPLACE )?(TABLE|TYPE|SEQUENCE|VIEW|FUNCTION) (?:IF NOT EXISTS )?("\w+"|\w+)/gim;
  for (const [, kind, name] of migrations.join("\n").matchAll(created))
    await client.query(`DROP ${kind} IF EXISTS ${name} CASCADE`);
}

async function fillTables(
  client: pg.Client,
  { folder, tables, progress }: Omit<Load, "databaseUrl" | "replace">,
) {
  for (const { name, columns, rows } of tables) {
    const table = quote([name]);
    // The backup already contains the rows that triggers write.
    await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    const stream = client.query(
      copyFrom(`COPY ${table} (${quote(columns)}) FROM STDIN (FORMAT csv, HEADER)`),
    );
    await pipeline(createReadStream(join(folder, `${name}.csv`)), stream);
    await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    if (stream.rowCount !== rows)
      throw conflict(`The backup is damaged: ${name} has ${stream.rowCount} rows instead of ${rows}.`);
    progress(`${name}: ${rows} rows`);
  }
}
