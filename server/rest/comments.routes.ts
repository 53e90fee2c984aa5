import { Readable } from "node:stream";
import * as comments from "../domain/comments.ts";
import { presentComments, presentCommentsWithUsers } from "./present.ts";
import type { Route } from "./routes.ts";
import { streamArray } from "./streams.ts";

export function commentRoutes(route: Route): void {
  route("GET", "/comments", ({ ctx, reply }) => {
    const chunks = comments.readAllComments(ctx);
    reply.type("application/json; charset=utf-8");
    return Readable.from(streamArray(chunks, (chunk) => presentCommentsWithUsers(ctx, chunk)));
  });
  route("POST", "/comments", async ({ ctx, body, reply }) => {
    const comment = await comments.createComment(ctx, body);
    reply.code(201);
    return (await presentComments(ctx, [comment]))[0];
  });
  route("PUT", "/comments/:id", async ({ ctx, id, body }) => {
    const comment = await comments.updateComment(ctx, id, body);
    return (await presentComments(ctx, [comment]))[0];
  });
  route("DELETE", "/comments/:id", async ({ ctx, id }) => {
    const { message } = await comments.deleteComment(ctx, id);
    return { message };
  });
}
