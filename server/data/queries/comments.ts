import type { Comment } from "../../domain/post-selection.ts";
import type { RunPrepared } from "./run-prepared.ts";
import { createParams, keysetClause } from "./keyset.ts";
import type { Queries } from "../../domain/ports.ts";

type CommentQueries = Pick<Queries, "comments" | "commentsById">;

const columns = `comment.id, text, "postId", "userId", "createdAt", "updatedAt"`;

export const commentQueries = (runPrepared: RunPrepared): CommentQueries => ({
  comments(postIds, slice) {
    const query = createParams();
    const text = `
      SELECT ${columns} FROM unnest(${query.add([...postIds])}::uuid[]) AS post(id)
      CROSS JOIN LATERAL (SELECT * FROM "Comment" WHERE "postId" = post.id ${keysetClause(slice, query.add)}) comment`;
    return runPrepared<Comment>(text, query.values);
  },

  commentsById: (ids) =>
    runPrepared<Comment>(`SELECT ${columns} FROM "Comment" comment WHERE id = ANY ($1::uuid[])`, [[...ids]]),
});
