import type pg from "pg";

/** A table in a backup: tables/NAME.csv. `rows` is their number. */
export type Table = { name: string; columns: string[]; rows: number };

/**
 * Tables that no backup contains. HTML from a file might not be sanitized, so it is rendered again; the search index,
 * the related posts and the marks of pages are computed again. Restored sessions,
 * tokens and preview links would be valid again after their end. Rate limits and idempotency keys expire, migrating writes the migration history, and a
 * restored blog has its own media folder.
 */
export const EXCLUDED_TABLES = [
  "_prisma_migrations",
  "Session",
  "MailToken",
  "Throttle",
  "PostHtml",
  "PostSearch",
  "UnindexedPost",
  "RelatedPost",
  "RelatedState",
  "PostMark",
  "MediaFolder",
  "PreviewLink",
  "IdempotencyKey",
];

/** Every other table in dependency order (referenced tables first), without generated columns. */
export async function readTables(client: pg.Client): Promise<Omit<Table, "rows">[]> {
  const { rows: columns } = await client.query<{ table: string; names: string[] }>(
    `SELECT table_name AS table, array_agg(column_name::text ORDER BY ordinal_position) AS names
       FROM information_schema.tables JOIN information_schema.columns USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'
        AND NOT table_name = ANY ($1) GROUP BY table_name ORDER BY table_name`,
    [EXCLUDED_TABLES],
  );
  const { rows: references } = await client.query<{ from: string; to: string }>(
    `SELECT child.relname AS from, parent.relname AS to FROM pg_constraint
       JOIN pg_class child ON child.oid = conrelid JOIN pg_class parent ON parent.oid = confrelid
      WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conrelid <> confrelid`,
  );
  const sorted: string[] = [];
  const visit = (table: string, path: string[] = []): void => {
    if (sorted.includes(table)) return;
    if (path.includes(table)) throw new Error(`${[...path, table].join(" → ")} refer to each other`);
    for (const { from, to } of references) if (from === table) visit(to, [...path, table]);
    sorted.push(table);
  };
  for (const { table } of columns) visit(table);
  return sorted.flatMap((name) =>
    columns.filter(({ table }) => table === name).map(({ names }) => ({ name, columns: names })),
  );
}

/** Excludes unsent emails: their links are not restored, and a copy of the blog must not send them. */
export const rowsToDump = (table: string) => (table === "Letter" ? `WHERE "sentAt" IS NOT NULL` : "");

export const quote = (names: string[]) => names.map((name) => `"${name}"`).join(", ");
