import type pg from "pg";
import { withClient } from "../postgres-client.ts";

/**
 * The LC_CTYPE of embedded databases. By it, pg_trgm and the full-text parser know letters beyond ASCII: with `C`, misspelt
 * words in Cyrillic or Greek are not found. It has no influence on order and case, which the built-in provider decides.
 */
export const CHARACTER_TYPES = "C.UTF-8";

/** Indexes of words as the full-text parser cuts them. */
const PARSED = ["Post_words_idx", "User_words_idx", "Tag_words_idx"];

/**
 * Gives an older database that LC_CTYPE, if the system has it: each start creates the indexes of trigrams again, and a job
 * indexes the posts again. No other session may be open.
 */
export async function moveCharacterTypes(url: string): Promise<void> {
  const isMoved = await withClient(url, async (client) => {
    const { rowCount } = await client.query(
      "SELECT FROM pg_database WHERE datname = current_database() AND datctype = 'C'",
    );
    if (rowCount === 0 || !(await hasLocale(client))) return false;
    await client.query(`
      UPDATE pg_database SET datctype = '${CHARACTER_TYPES}' WHERE datname = current_database();
      DROP INDEX IF EXISTS "PostSearch_name_idx", "User_name_idx";
      DO $$ BEGIN
        IF to_regclass('"UnindexedPost"') IS NOT NULL THEN
          INSERT INTO "UnindexedPost" SELECT id FROM "Post" ON CONFLICT DO NOTHING;
        END IF;
      END $$`);
    return true;
  });
  if (isMoved)
    await withClient(url, async (client) => {
      for (const index of PARSED)
        await client.query(
          `DO $$ BEGIN IF to_regclass('"${index}"') IS NOT NULL THEN REINDEX INDEX "${index}"; END IF; END $$`,
        );
    });
}

/** Not every system has it. A database with an unknown one could not be opened again. */
const hasLocale = (client: pg.Client) =>
  client
    .query(
      `BEGIN; CREATE COLLATION pg_temp.probe (provider = libc, lc_collate = 'C', lc_ctype = '${CHARACTER_TYPES}'); ROLLBACK`,
    )
    .then(
      () => true,
      () => client.query("ROLLBACK").then(() => false),
    );
