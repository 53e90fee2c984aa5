import type { Queries } from "../../domain/ports.ts";
import type { Slice } from "../../domain/post-selection.ts";
import { createParams, keysetClause } from "./keyset.ts";
import { runPostQuery } from "./posts.ts";
import type { RunPrepared } from "./run-prepared.ts";

type Put = (value: unknown) => string;

/** Takes the newest posts of each follow from an index, so that neither rare nor frequent posts make it slow. */
function newestOfEach(slice: Slice, put: Put): string {
  const part = () => keysetClause({ ...slice, take: slice.skip + slice.take, skip: 0 }, put);
  return `
    (SELECT id, "createdAt" FROM "Post" WHERE "userId" = follow."profileId" ${part()})
    UNION ALL (SELECT id, "createdAt" FROM "Post"
      WHERE category = (SELECT title FROM "Category" WHERE id = follow."categoryId") ${part()})
    UNION ALL (SELECT id, "createdAt" FROM (
        SELECT "postId" AS id, "createdAt" FROM "PostTag" WHERE "tagId" = follow."tagId") tagged
      WHERE true ${part()})`;
}

const followsOf = (column: string) => `SELECT "${column}" FROM "Follow" WHERE "userId" = $1`;

const count = `
  SELECT count(*)::int FROM "Post"
  WHERE "userId" IN (${followsOf("profileId")})
    OR category IN (SELECT title FROM "Category" WHERE id IN (${followsOf("categoryId")}))
    OR id IN (SELECT "postId" FROM "PostTag" WHERE "tagId" IN (${followsOf("tagId")}))`;

type FollowQueries = Pick<Queries, "followedBy" | "followedPosts" | "countFollowedPosts">;

export const followQueries = (runPrepared: RunPrepared): FollowQueries => ({
  async followedBy(userId) {
    const rows = await runPrepared<{ id: string }>(
      `SELECT coalesce("profileId", "categoryId", "tagId") AS id FROM "Follow" WHERE "userId" = $1`,
      [userId],
    );
    return new Set(rows.map(({ id }) => id));
  },

  followedPosts(userId, slice, selection) {
    const query = createParams();
    const keys = `
      SELECT id FROM (
        SELECT DISTINCT newest.id, newest."createdAt" FROM "Follow" follow
        CROSS JOIN LATERAL (${newestOfEach(slice, query.add)}) newest
        WHERE follow."userId" = ${query.add(userId)}) followed
      WHERE true ${keysetClause({ ...slice, cursor: null }, query.add)}`;
    return runPostQuery(runPrepared, { keys, query, ...slice }, selection);
  },

  async countFollowedPosts(userId) {
    return (await runPrepared<{ count: number }>(count, [userId]))[0]?.count ?? 0;
  },
});
