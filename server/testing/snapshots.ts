import { finishDeferredWork } from "../domain/deferred-work.ts";
import type { TestApp } from "./app.ts";
import { storedFiles } from "./stored-files.ts";

let select: string | undefined;

/** All rows and media files, to prove that a request changed nothing. */
export async function snapshotOf({ pool, files }: TestApp): Promise<string> {
  await finishDeferredWork();
  select ??= await selectEverything(pool);
  const { rows } = await pool.query(select);
  return JSON.stringify({ rows, files: await storedFiles(files) }, null, 1);
}

/** Reads the table names from the catalogue, so that new tables are included. */
async function selectEverything(pool: TestApp["pool"]): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY name`,
  );
  const tables = rows.map(
    ({ name }) => `(SELECT json_agg(row ORDER BY row::text) FROM "${name}" AS row) AS "${name}"`,
  );
  return `SELECT ${tables.join(", ")}`;
}
