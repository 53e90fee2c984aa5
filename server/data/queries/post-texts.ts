import type { Queries } from "../../domain/ports.ts";
import { countBy, type RunPrepared } from "./run-prepared.ts";

/** Bytes after which a statement returns no further text: JSON has up to six times as many, and blocks others meanwhile. */
const MAX_BYTES = 300_000;

/** SQL of `column`, null for rows after those that have the most bytes. PostgreSQL knows the length of a long text without reading it. */
export const limitedText = (column: string, order: string): string =>
  `CASE WHEN sum(octet_length(${column})) OVER (${order}) - octet_length(${column}) < ${MAX_BYTES} THEN ${column} END`;

const ordered = `FROM unnest($1::uuid[]) WITH ORDINALITY AS key(id, n)`;
const textsOf = (table: Table) =>
  `SELECT id, ${limitedText(columns[table], "ORDER BY n")} AS text ${ordered} JOIN "${table}" USING (id)`;
const html = `SELECT id, octet_length(html) AS bytes, ${limitedText("html", "ORDER BY n")} AS text
  ${ordered} JOIN "PostHtml" ON "postId" = id AND html IS NOT NULL`;

const columns = {
  Post: "description",
  Draft: "description",
  Revision: "description",
  Comment: "text",
} as const;
type Table = keyof typeof columns;
type Text = { id: string; text: string | null; bytes?: number };

/** As many statements as the texts have bytes. Deleted posts are absent. @param check gets the first rows */
async function readTexts(
  runPrepared: RunPrepared,
  statement: string,
  ids: readonly string[],
  check = (_rows: Text[]) => {},
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let left = [...ids]; left.length > 0;) {
    const rows = await runPrepared<Text>(statement, [left]);
    if (found.size === 0) check(rows);
    for (const { id, text } of rows) if (text !== null) found.set(id, text);
    left = rows.flatMap(({ id, text }) => (text === null ? [id] : []));
  }
  return found;
}

type Row = { id: string; description?: string | null; text?: string | null };

/** Adds the texts that `limitedText` has left out. @returns the rows that still exist */
export async function addTexts<T extends Row>(
  runPrepared: RunPrepared,
  table: Table,
  rows: T[],
): Promise<T[]> {
  const column = columns[table];
  const left = rows.filter((row) => row[column] === null);
  if (left.length === 0) return rows;
  const ids = left.map(({ id }) => id);
  const found = await readTexts(runPrepared, textsOf(table), ids);
  for (const row of left) row[column] = found.get(row.id) ?? null;
  return rows.filter((row) => row[column] !== null);
}

export const textQueries = (runPrepared: RunPrepared): Pick<Queries, "postHtml" | "textBytes"> => ({
  postHtml: (ids, check) =>
    readTexts(runPrepared, html, ids, (rows) => check(rows.reduce((sum, { bytes = 0 }) => sum + bytes, 0))),

  textBytes: (ids) =>
    countBy(runPrepared, `SELECT octet_length(description) FROM "Post" WHERE id = key`, "uuid", ids),
});
