import type { RunPrepared } from "./run-prepared.ts";
import type { Queries } from "../../domain/ports.ts";

export const likeQueries = (runPrepared: RunPrepared): Pick<Queries, "likedBy"> => ({
  async likedBy(userId, postIds) {
    const rows = await runPrepared<{ postId: string }>(
      `SELECT "postId" FROM "Like" WHERE "userId" = $1 AND "postId" = ANY($2::uuid[])`,
      [userId, [...postIds]],
    );
    return new Set(rows.map(({ postId }) => postId));
  },
});
