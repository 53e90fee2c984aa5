import type { ReadCtx } from "../domain/context.ts";
import { likePost, toggleLike, unlikePost } from "../domain/posts/likes.ts";
import * as operations from "./likes.operations.ts";
import { readPost } from "../domain/posts/posts.ts";
import { presentPostOfUser, writtenFields } from "./present.ts";
import type { Route } from "./endpoint/routes.ts";

export function likeRoutes(route: Route): void {
  route("PUT", "/posts/like/:id", operations.toggleLike, async ({ ctx, id }) => {
    const { post, likes } = await toggleLike(ctx, id);
    return presentPostOfUser(ctx, post, likes);
  });
  route("PUT", "/posts/:id/likes/me", operations.likePost, async ({ ctx, id }) => {
    await likePost(ctx, id);
    return present(ctx, id);
  });
  route("DELETE", "/posts/:id/likes/me", operations.unlikePost, async ({ ctx, id }) => {
    await unlikePost(ctx, id);
    return present(ctx, id);
  });
}

async function present(ctx: ReadCtx, id: string) {
  const post = await readPost(ctx, id, writtenFields);
  return presentPostOfUser(ctx, post, post.likers);
}
