import { createHash } from "node:crypto";
import type { Pipeline } from "../pipeline.ts";

/** Runs a statement that each connection plans once. */
export type RunPrepared = <Row>(text: string, values: unknown[]) => Promise<Row[]>;

/** A migration changed a column's type below a statement that was prepared before: it is prepared anew. */
const OUTDATED = "0A000";

/** So many are prepared on each connection, where they stay; documents can ask for more kinds than anybody needs. */
const MOST = 500;

/** @param prepares whether statements may be prepared by name, which needs a backend of one's own */
export function prepareOn(pool: Pick<Pipeline, "query">, prepares = true): RunPrepared {
  const names = new Map<string, string>();
  let generation = 0;
  const nameOf = (text: string) => {
    if (!prepares) return undefined;
    const known = names.get(text);
    if (!known && names.size >= MOST) return undefined;
    const name = known ?? createHash("sha256").update(text).digest("base64url").slice(0, 24);
    names.set(text, name);
    return `${name}${generation}`;
  };
  const query = (text: string, values: unknown[]) => pool.query({ name: nameOf(text), text, values });
  return async <Row>(text: string, values: unknown[]) => {
    const asked = generation;
    const answer = await query(text, values).catch((error: { code?: string }) => {
      if (error.code !== OUTDATED) throw error;
      if (generation === asked) generation++;
      return query(text, values);
    });
    return answer.rows as Row[];
  };
}

/** How many rows of `table` have each of these values in `column`. */
export async function countBy(
  ask: RunPrepared,
  { table, column, type }: { table: "Post"; column: string; type: "text" | "uuid" },
  keys: readonly string[],
): Promise<Map<string, number>> {
  const rows = await ask<{ key: string; count: number }>(
    `SELECT key, (SELECT count(*)::int FROM "${table}" WHERE "${column}" = key) AS count
     FROM unnest($1::${type}[]) AS key`,
    [[...keys]],
  );
  return new Map(rows.map(({ key, count }) => [key, count]));
}
