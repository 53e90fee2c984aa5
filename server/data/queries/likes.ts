import { countBy, type RunPrepared } from "./run-prepared.ts";
import type { Queries } from "../../domain/ports.ts";

export const likeQueries = (ask: RunPrepared): Pick<Queries, "likers" | "likeCounts" | "likedBy"> => ({
  async likers(postIds) {
    const rows = await ask<{ id: string; likers: string[] }>(
      `SELECT id, ARRAY(SELECT "userId"::text FROM "Like" WHERE "postId" = id ORDER BY "createdAt", "userId") AS likers
       FROM unnest($1::uuid[]) AS id`,
      [[...postIds]],
    );
    return new Map(rows.map(({ id, likers }) => [id, likers]));
  },
  async likedBy(userId, postIds) {
    const rows = await ask<{ postId: string }>(
      `SELECT "postId" FROM "Like" WHERE "userId" = $1 AND "postId" = ANY($2::uuid[])`,
      [userId, [...postIds]],
    );
    return new Set(rows.map(({ postId }) => postId));
  },
  likeCounts: (postIds) => countBy(ask, { table: "Like", column: "postId", type: "uuid" }, postIds),
});
