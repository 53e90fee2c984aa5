import type { Comment } from "../../domain/post-selection.ts";
import type { RunPrepared } from "./run-prepared.ts";
import { createParams, keysetClause } from "./keyset.ts";
import type { Db, Queries } from "../../domain/ports.ts";

type CommentQueries = Pick<Queries, "comments" | "commentsById">;

export const commentQueries = (runPrepared: RunPrepared, db: Db): CommentQueries => ({
  comments(postIds, slice) {
    const query = createParams();
    const text = `
      SELECT comment.id, text, "postId", "userId", "createdAt", "updatedAt" FROM unnest(${query.add([...postIds])}::uuid[]) AS post(id)
      CROSS JOIN LATERAL (SELECT * FROM "Comment" WHERE "postId" = post.id ${keysetClause(slice, query.add)}) comment`;
    return runPrepared<Comment>(text, query.values);
  },

  commentsById: (ids) => db.comment.findMany({ where: { id: { in: [...ids] } } }),
});
