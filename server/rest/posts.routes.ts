import { Readable } from "node:stream";
import * as posts from "../domain/posts.ts";
import { badInput } from "../errors.ts";
import { receiveForm } from "./multipart.ts";
import { presentChangedPost, presentFullPost, presentPosts } from "./present.ts";
import type { Call, Route } from "./routes.ts";
import { streamArray } from "./streams.ts";

export function postRoutes(route: Route): void {
  route("GET", "/posts", listPosts);
  route("GET", "/posts/count", ({ ctx }) => posts.countPosts(ctx));
  route("GET", "/posts/:id", async ({ ctx, id }) => presentFullPost(ctx, await posts.readPost(ctx, id)));
  route("POST", "/posts", createPost);
  route("PUT", "/posts/:id", async ({ ctx, id, body }) =>
    presentFullPost(ctx, await posts.updatePost(ctx, id, body)),
  );
  route("PUT", "/posts/update-image/:id", async ({ ctx, id, request }) =>
    presentChangedPost(ctx, await posts.updatePostImage(ctx, id, () => receiveForm(request))),
  );
  route("DELETE", "/posts/:id", async ({ ctx, id }) => {
    const { id: postId, message } = await posts.deletePost(ctx, id);
    return { message, postId };
  });
}

/** A page where one is asked for, else all of them or all of a category, streamed. */
async function listPosts({ ctx, query, reply }: Call) {
  if (query["pageNumber"] !== undefined) {
    const { nodes } = await posts.readPosts(ctx, {}, { page: parsePageNumber(query["pageNumber"]) });
    return presentPosts(ctx, nodes);
  }
  const chunks = posts.readAllPosts(
    ctx,
    query["category"] === undefined ? {} : { category: query["category"] },
  );
  reply.type("application/json; charset=utf-8");
  return Readable.from(streamArray(chunks, (chunk) => presentPosts(ctx, chunk)));
}

function parsePageNumber(text: string): number {
  const message = '"pageNumber" must be a positive whole number';
  if (!/^[1-9]\d*$/.test(text)) throw badInput(message, { pageNumber: message });
  // Far behind the last page all pages are alike: empty.
  return Math.min(Number(text), 1_000_000);
}

async function createPost({ ctx, request, reply }: Call) {
  const post = await posts.createPost(ctx, () => receiveForm(request));
  reply.code(201);
  return presentChangedPost(ctx, post);
}
