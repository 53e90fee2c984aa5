import type { Queries } from "../../domain/ports.ts";
import { computedFields, type ComputedField, type ComputedFields } from "../../domain/post-selection.ts";
import type { RunPrepared } from "./run-prepared.ts";

/**
 * The SQL of each computed field of a post, by an expression for its id. The look-ahead, the batches and the posts' own
 * statements use it. Fields with arguments, or that depend on the viewer, do not belong here.
 */
export const computedSql: Record<ComputedField, (id: string) => string> = {
  likers: (id) =>
    `ARRAY(SELECT "userId"::text FROM "Like" WHERE "postId" = ${id} ORDER BY "createdAt", "userId")`,
  likeCount: (id) => `(SELECT count(*)::int FROM "Like" WHERE "postId" = ${id})`,
  commentCount: (id) => `(SELECT count(*)::int FROM "Comment" WHERE "postId" = ${id})`,
};

/** Those of the computed fields that are selected, with the SQL of each. */
export const selectedSql = (selection: { [Field in ComputedField]?: boolean }, id: string) =>
  Object.fromEntries(
    computedFields.filter((field) => selection[field]).map((field) => [field, computedSql[field](id)]),
  );

export const computedQueries = (runPrepared: RunPrepared): Pick<Queries, "computed"> => ({
  async computed<Field extends ComputedField>(field: Field, postIds: readonly string[]) {
    const rows = await runPrepared<{ id: string; value: ComputedFields[Field] }>(
      `SELECT post.id, ${computedSql[field]("post.id")} AS value FROM unnest($1::uuid[]) AS post(id)`,
      [[...postIds]],
    );
    return new Map(rows.map(({ id, value }) => [id, value]));
  },
});
