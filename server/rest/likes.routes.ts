import { toggleLike } from "../domain/posts/likes.ts";
import * as operations from "./likes.operations.ts";
import { presentPostOfUser } from "./present.ts";
import type { Route } from "./endpoint/routes.ts";

export function likeRoutes(route: Route): void {
  route("PUT", "/posts/like/:id", operations.toggleLike, async ({ ctx, id }) => {
    const { post, likes } = await toggleLike(ctx, id);
    return presentPostOfUser(ctx, post, likes);
  });
}
