import type { Comment } from "../../domain/post-selection.ts";
import { countBy, type Ask } from "./run-prepared.ts";
import { numbered, tailOf } from "./keyset.ts";
import type { Reads } from "../../domain/ports.ts";

export const commentReads = (ask: Ask): Pick<Reads, "comments" | "commentCounts"> => ({
  comments(postIds, slice) {
    const query = numbered();
    const text = `
      SELECT comment.id, text, "postId", "userId", "createdAt", "updatedAt" FROM unnest(${query.put([...postIds])}::uuid[]) AS post(id)
      CROSS JOIN LATERAL (SELECT * FROM "Comment" WHERE "postId" = post.id ${tailOf(slice, query.put)}) comment`;
    return ask<Comment>(text, query.values);
  },
  commentCounts: (postIds) => countBy(ask, "Comment", "postId", "uuid", postIds),
});
