import type { Comment } from "../../domain/post-selection.ts";
import type { RunPrepared } from "./run-prepared.ts";
import { createParams, keysetClause, orderOf } from "./keyset.ts";
import { addTexts, limitedText } from "./post-texts.ts";
import type { Queries } from "../../domain/ports.ts";

type CommentQueries = Pick<Queries, "comments" | "commentsById">;

const columns = `comment.id, "postId", "userId", "createdAt", "updatedAt"`;

export const commentQueries = (runPrepared: RunPrepared): CommentQueries => ({
  async comments(postIds, slice) {
    const query = createParams();
    const text = `
      SELECT ${columns}, ${limitedText("text", orderOf(slice, "comment."))} AS text FROM unnest(${query.add([...postIds])}::uuid[]) AS post(id)
      CROSS JOIN LATERAL (SELECT * FROM "Comment" WHERE "postId" = post.id ${keysetClause(slice, query.add)}) comment`;
    return addTexts(runPrepared, "Comment", await runPrepared<Comment>(text, query.values));
  },

  commentsById: (ids) =>
    runPrepared<Comment>(`SELECT ${columns}, text FROM "Comment" comment WHERE id = ANY ($1::uuid[])`, [
      [...ids],
    ]),
});
