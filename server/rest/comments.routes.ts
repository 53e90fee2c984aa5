import * as comments from "../domain/comments.ts";
import * as operations from "./comments.operations.ts";
import { presentComment, presentCommentsWithUsers } from "./present.ts";
import type { Route } from "./endpoint/routes.ts";
import { streamArray } from "./endpoint/streams.ts";

export function commentRoutes(route: Route): void {
  route("GET", "/comments", operations.listComments, async ({ ctx, reply }) => {
    const chunks = comments.readAllComments(ctx);
    reply.header("x-total-count", await comments.countAllComments(ctx));
    return streamArray(chunks, (chunk) => presentCommentsWithUsers(ctx, chunk));
  });
  route("POST", "/comments", operations.createComment, async ({ ctx, body }) =>
    presentComment(ctx, await comments.createComment(ctx, body)),
  );
  route("PUT", "/comments/:id", operations.updateComment, async ({ ctx, id, body }) =>
    presentComment(ctx, await comments.updateComment(ctx, id, body)),
  );
  route("DELETE", "/comments/:id", operations.deleteComment, async ({ ctx, id }) => {
    const { message } = await comments.deleteComment(ctx, id);
    return { message };
  });
}
