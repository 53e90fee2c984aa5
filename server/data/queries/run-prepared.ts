import { createHash } from "node:crypto";
import type { Pipeline } from "../pipeline.ts";

/** Runs a statement that each connection prepares once. */
export type RunPrepared = <Row>(text: string, values: unknown[]) => Promise<Row[]>;

/** SQLSTATE after a migration changed the result type of a prepared statement. It must be prepared again. */
const OUTDATED = "0A000";

/** For each character of a statement PostgreSQL keeps some ninety bytes, with the plan, until the connection ends. */
const MAX_CHARACTERS = 250_000;

export type PreparedOn = Pick<Pipeline, "query"> & Partial<Pick<Pipeline, "renew">>;

/** @param prepares whether to use named prepared statements, which do not work through a transaction pooler */
export function createRunPrepared(pool: PreparedOn, prepares = true): RunPrepared {
  const names = new Map<string, string>();
  let [generation, characters] = [0, 0];
  const forget = () => {
    names.clear();
    characters = 0;
  };
  const nameOf = (text: string) => {
    const existing = names.get(text);
    if (existing || !prepares) return existing;
    if (characters + text.length > MAX_CHARACTERS) {
      if (!pool.renew?.()) return undefined;
      forget();
    }
    characters += text.length;
    const name = createHash("sha256").update(text).digest("base64url").slice(0, 24) + generation;
    names.set(text, name);
    return name;
  };
  const query = (text: string, values: unknown[]) => pool.query({ name: nameOf(text), text, values });
  return async <Row>(text: string, values: unknown[]) => {
    const startGeneration = generation;
    const result = await query(text, values).catch((error: { code?: string }) => {
      if (error.code !== OUTDATED) throw error;
      if (generation === startGeneration) {
        generation++;
        forget();
      }
      return query(text, values);
    });
    return result.rows as Row[];
  };
}

/** The result of `count`, a statement that refers to `key`, for each of `keys`. */
export async function countBy(
  runPrepared: RunPrepared,
  count: string,
  type: "uuid" | "text",
  keys: readonly string[],
): Promise<Map<string, number>> {
  const text = `SELECT key, (${count}) AS count FROM unnest($1::${type}[]) AS key`;
  const rows = await runPrepared<{ key: string; count: number }>(text, [[...keys]]);
  return new Map(rows.map(({ key, count }) => [key, count]));
}

/** The subset of `postIds` for which the account has a row in `table`. */
export async function postsOfAccount(
  runPrepared: RunPrepared,
  table: "Like" | "Bookmark",
  userId: string,
  postIds: readonly string[],
): Promise<Set<string>> {
  const rows = await runPrepared<{ postId: string }>(
    `SELECT "postId" FROM "${table}" WHERE "userId" = $1 AND "postId" = ANY($2::uuid[])`,
    [userId, [...postIds]],
  );
  return new Set(rows.map(({ postId }) => postId));
}
