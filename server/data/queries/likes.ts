import type { RunPrepared } from "./run-prepared.ts";
import type { Queries } from "../../domain/ports.ts";

export const likeQueries = (ask: RunPrepared): Pick<Queries, "likedBy"> => ({
  async likedBy(userId, postIds) {
    const rows = await ask<{ postId: string }>(
      `SELECT "postId" FROM "Like" WHERE "userId" = $1 AND "postId" = ANY($2::uuid[])`,
      [userId, [...postIds]],
    );
    return new Set(rows.map(({ postId }) => postId));
  },
});
