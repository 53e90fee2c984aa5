import type pg from "pg";

/** A table as a backup holds it: `rows` in tables/NAME.csv, with these columns. */
export type Table = { name: string; columns: string[]; rows: number };

/**
 * What no backup holds. HTML is rendered anew: that of a file is not known to be sanitized. Sessions and links would
 * come back to life long after they were ended, counts of what happens too often mean nothing later, and the history
 * of migrations is written by migrating. The pictures of a copy lie in another folder.
 */
export const LEFT_OUT = [
  "_prisma_migrations",
  "Session",
  "MailToken",
  "Throttle",
  "PostHtml",
  "PendingRegistration",
  "MediaFolder",
];

/** Every other table, each after those it refers to; columns that the database computes are not listed. */
export async function readTables(client: pg.Client): Promise<Omit<Table, "rows">[]> {
  const { rows: columns } = await client.query<{ table: string; names: string[] }>(
    `SELECT table_name AS table, array_agg(column_name::text ORDER BY ordinal_position) AS names
       FROM information_schema.tables JOIN information_schema.columns USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'
        AND NOT table_name = ANY ($1) GROUP BY table_name ORDER BY table_name`,
    [LEFT_OUT],
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

/** Letters that have not left are no part of it: their links are dead, and a copy must not write to people. */
export const rowsToKeep = (table: string) => (table === "Letter" ? `WHERE "sentAt" IS NOT NULL` : "");

export const quote = (names: string[]) => names.map((name) => `"${name}"`).join(", ");
