import * as comments from "../domain/comments.ts";
import { requireAdmin } from "../domain/permissions.ts";
import * as operations from "./comments.operations.ts";
import { presentComment, presentCommentsWithUsers } from "./present.ts";
import { alreadyLoaded, pageQuery, parseQuery, sendPage, connectionArgsOf } from "./endpoint/pages.ts";
import type { Route } from "./endpoint/routes.ts";
import { streamArray } from "./endpoint/streams.ts";

export function commentRoutes(route: Route): void {
  route("GET", "/comments", operations.listComments, async ({ ctx, query, reply }) => {
    requireAdmin(ctx);
    const pageArgs = connectionArgsOf(parseQuery(pageQuery, query));
    const present = (chunk: comments.Comment[]) => presentCommentsWithUsers(ctx, chunk);
    if (pageArgs) {
      const address = `${ctx.siteUrl}/api/comments`;
      return sendPage(await comments.readComments(ctx, {}, pageArgs), {
        address,
        query,
        reply,
        load: alreadyLoaded,
        present,
      });
    }
    const chunks = comments.readAllComments(ctx);
    reply.header("x-total-count", await comments.countAllComments(ctx));
    return streamArray(chunks, present);
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
