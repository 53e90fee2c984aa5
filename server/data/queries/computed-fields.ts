import type { Queries } from "../../domain/ports.ts";
import { computedFields, type ComputedField, type ComputedFields } from "../../domain/post-selection.ts";
import type { RunPrepared } from "./run-prepared.ts";

/**
 * Bytes of UTF-8 that are read in a minute: about 240 words of English, 450 characters of Chinese, 700 letters of
 * Arabic. PostgreSQL knows the size of a text without reading it.
 */
const BYTES_PER_MINUTE = 1_400;

/** `id` is an SQL expression for the post's id. Fields must not depend on arguments or on the viewer. */
const computedSql: Record<ComputedField, (id: string) => string> = {
  likers: (id) =>
    `ARRAY(SELECT "userId"::text FROM "Like" WHERE "postId" = ${id} ORDER BY "createdAt", "userId")`,
  likeCount: (id) => `(SELECT count(*)::int FROM "Like" WHERE "postId" = ${id})`,
  commentCount: (id) => `(SELECT coalesce(sum(comments), 0)::int FROM "CommentCount" WHERE "postId" = ${id})`,
  tags: (id) =>
    `(SELECT coalesce(json_agg(json_build_object('id', tag.id, 'name', tag.name) ORDER BY position, tag.id), '[]')
      FROM "PostTag" JOIN "Tag" tag ON tag.id = "tagId" WHERE "postId" = ${id})`,
  readingMinutes: (id) =>
    `(SELECT greatest(1, round(octet_length(description) / ${BYTES_PER_MINUTE}.0))::int FROM "Post" WHERE "Post".id = ${id})`,
};

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
