import type pg from "pg";
import { conflict } from "../errors.ts";
import { quote, type Table } from "./tables.ts";

/** Characters of the longest text that the blog writes; lists and JSON count as text. */
const MAX_TEXT = 50_000;
const MAX_NUMBER = 2_000_000_000;

/** By the type of a column the values that the blog never writes, and whose readers have no limits. */
const foreign = {
  text: (column: string) => `length(${column}::text) > ${MAX_TEXT}`,
  time: (column: string) => `NOT isfinite(${column}) OR abs(extract(year FROM ${column})) > 9999`,
  number: (column: string) => `abs(${column}::numeric) > ${MAX_NUMBER}`,
};

function kindOf(type: string): keyof typeof foreign | null {
  if (/^timestamp|^date/.test(type)) return "time";
  if (["smallint", "integer", "bigint", "numeric", "double precision", "real"].includes(type))
    return "number";
  return ["boolean", "uuid"].includes(type) ? null : "text";
}

/** @throws CONFLICT if a manipulated backup has filled a table with such values */
export async function refuseForeignValues(client: pg.Client, tables: Pick<Table, "name">[]): Promise<void> {
  for (const { name } of tables) {
    const { rows } = await client.query<{ column: string; type: string }>(
      `SELECT column_name::text AS column, data_type::text AS type FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name = $1`,
      [name],
    );
    const conditions = rows.flatMap(({ column, type }) => {
      const kind = kindOf(type);
      return kind ? [foreign[kind](quote([column]))] : [];
    });
    if (conditions.length === 0) continue;
    const table = quote([name]);
    const found = await client.query(`SELECT FROM ${table} WHERE (${conditions.join(") OR (")}) LIMIT 1`);
    if (found.rowCount !== 0)
      throw conflict(
        `The backup has a text, a date or a number in ${name} that the blog does not write: nothing was changed.`,
      );
  }
}
