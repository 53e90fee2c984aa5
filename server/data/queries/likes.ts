import { createParams, keysetClause } from "./keyset.ts";
import { postsOfAccount, type RunPrepared } from "./run-prepared.ts";
import type { Queries } from "../../domain/ports.ts";

export const likeQueries = (runPrepared: RunPrepared): Pick<Queries, "likedBy" | "likes"> => ({
  likedBy: (userId, postIds) => postsOfAccount(runPrepared, "Like", userId, postIds),

  likes(postIds, slice) {
    const query = createParams();
    // A like's id in the order of its list is that of its account.
    const text = `
      SELECT liked."postId", liked.id AS "userId", liked."createdAt" FROM unnest(${query.add([...postIds])}::uuid[]) AS post(id)
      CROSS JOIN LATERAL (
        SELECT * FROM (SELECT "postId", "userId" AS id, "createdAt" FROM "Like" WHERE "postId" = post.id) own
        WHERE true ${keysetClause(slice, query.add)}) liked`;
    return runPrepared(text, query.values);
  },
});
