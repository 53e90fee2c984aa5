import { createHash } from "node:crypto";
import type pg from "pg";

/** Runs a statement that each connection plans once: its text is its name. */
export type Ask = <Row>(text: string, values: unknown[]) => Promise<Row[]>;

export function askOf(pool: pg.Pool): Ask {
  const names = new Map<string, string>();
  const nameOf = (text: string) => {
    const name = names.get(text) ?? createHash("sha256").update(text).digest("base64url").slice(0, 24);
    names.set(text, name);
    return name;
  };
  return async <Row>(text: string, values: unknown[]) =>
    (await pool.query({ name: nameOf(text), text, values })).rows as Row[];
}

/** How many rows of `table` have each of these values in `column`. */
export async function countBy(
  ask: Ask,
  table: "Post" | "Like" | "Comment",
  column: string,
  type: "text" | "uuid",
  keys: readonly string[],
): Promise<Map<string, number>> {
  const rows = await ask<{ key: string; count: number }>(
    `SELECT key, (SELECT count(*)::int FROM "${table}" WHERE "${column}" = key) AS count
     FROM unnest($1::${type}[]) AS key`,
    [[...keys]],
  );
  return new Map(rows.map(({ key, count }) => [key, count]));
}
