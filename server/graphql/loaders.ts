import DataLoader from "dataloader";
import type { Ctx } from "../context.ts";
import { countPostsIn } from "../domain/categories.ts";
import { countComments, readCommentsOfMany } from "../domain/comments.ts";
import type { Connection, Row, Window } from "../domain/connections.ts";
import { countLikes, findLikers, findViewerLikes } from "../domain/likes.ts";
import { readPostsById, readPostsOfMany } from "../domain/posts.ts";
import { findProfiles } from "../domain/profiles.ts";

export type Loaders = ReturnType<typeof createLoaders>;

/** One batch per kind of question: the number of statements does not depend on the number of rows. */
export const createLoaders = (ctx: Ctx) => ({
  profiles: byMap((ids) => findProfiles(ctx, ids)),
  posts: byMap(async (ids) => new Map((await readPostsById(ctx, ids)).map((post) => [post.id, post]))),
  likers: byMap((ids) => findLikers(ctx, ids)),
  likeCounts: byMap((ids) => countLikes(ctx, ids)),
  commentCounts: byMap((ids) => countComments(ctx, ids)),
  postCounts: byMap((titles) => countPostsIn(ctx, titles)),
  viewerLikes: new DataLoader<string, boolean>(async (ids) => {
    const liked = await findViewerLikes(ctx, ids);
    return ids.map((id) => liked.has(id));
  }),
  commentsOfPost: byWindow((ids, window) => readCommentsOfMany(ctx, ids, window)),
  postsOfAuthor: byWindow((ids, window) => readPostsOfMany(ctx, ids, window)),
});

function byMap<V>(load: (keys: readonly string[]) => Promise<Map<string, V>>) {
  return new DataLoader<string, V | undefined>(async (keys) => {
    const found = await load(keys);
    return keys.map((key) => found.get(key));
  });
}

/** Nested lists that ask for the same window share a batch. */
function byWindow<T extends Row>(load: (ids: readonly string[], window: Window) => Promise<Connection<T>[]>) {
  const loaders = new Map<string, DataLoader<string, Connection<T>>>();
  return {
    load(id: string, window: Window): Promise<Connection<T>> {
      const key = JSON.stringify(window);
      const loader = loaders.get(key) ?? new DataLoader((ids) => load(ids, window));
      loaders.set(key, loader);
      return loader.load(id);
    },
  };
}
