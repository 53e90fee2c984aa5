import DataLoader from "dataloader";
import type { ReadCtx } from "../domain/context.ts";
import { badInput } from "../errors.ts";
import { countPostsIn, findCategories } from "../domain/categories.ts";
import { readCommentsOfMany } from "../domain/comments.ts";
import { findFollowed } from "../domain/following.ts";
import type { ConnectionArgs, Page, Row } from "../domain/lists/connections.ts";
import { findViewerBookmarks } from "../domain/posts/bookmarks.ts";
import { findViewerLikes, readLikesOfMany } from "../domain/posts/likes.ts";
import { queueIfLong } from "../domain/lists/lists.ts";
import { findCategoriesById, findCommentsById, findTagsById } from "../domain/lists/nodes.ts";
import {
  countPostsOf,
  readPostsById,
  readPostsOfCategories,
  readPostsOfMany,
} from "../domain/posts/posts.ts";
import { findProfiles } from "../domain/profiles.ts";
import { findNeighbours, findRelated } from "../domain/posts/related-posts.ts";
import { countPostsWithTags } from "../domain/posts/tags.ts";
import { findPreviewTokens } from "../domain/writing/preview-links.ts";
import { countRevisionsOf, readRevisionsOfMany } from "../domain/writing/revisions.ts";
import { findUploads } from "../domain/writing/uploads.ts";
import type { ComputedField, ComputedFields, PostSelection } from "../domain/post-selection.ts";

export type Loaders = ReturnType<typeof createLoaders>;

/** One batch per kind and arguments: the number of statements does not depend on the number of rows. */
export const createLoaders = lazyLoaders({
  profiles: (ctx) => byMap((ids) => findProfiles(ctx, ids)),
  posts: (ctx) =>
    byArguments((selection: PostSelection) =>
      byMap(
        async (ids) => new Map((await readPostsById(ctx, ids, selection)).map((post) => [post.id, post])),
      ),
    ),
  postHtml: (ctx) => {
    const check = limitHtml();
    return byMap((ids) => queueIfLong(true, ctx.origin, () => ctx.queries.postHtml(ids, check)));
  },
  computed: (ctx) =>
    byArguments((field: ComputedField) =>
      byMap<ComputedFields[ComputedField]>((ids) => ctx.queries.computed(field, ids)),
    ),
  postCounts: (ctx) => byMap((titles) => countPostsIn(ctx, titles)),
  postCountsOfAuthor: (ctx) => byMap((ids) => countPostsOf(ctx, ids)),
  relatedIds: (ctx) => byArguments((first: number) => byMap((ids) => findRelated(ctx, ids, first))),
  neighbours: (ctx) => byMap((ids) => findNeighbours(ctx, ids)),
  postCountsOfTag: (ctx) => byMap((ids) => countPostsWithTags(ctx, ids)),
  categoriesByTitle: (ctx) => byMap((titles) => findCategories(ctx, titles)),
  viewerLikes: (ctx) => bySet((ids) => findViewerLikes(ctx, ids)),
  viewerBookmarks: (ctx) => bySet((ids) => findViewerBookmarks(ctx, ids)),
  viewerFollows: (ctx) => {
    // All at once, for nodes of several types, whose batches differ.
    let followed: ReturnType<typeof findFollowed> | undefined;
    return bySet(() => (followed ??= findFollowed(ctx)));
  },
  uploads: (ctx) => byMap((ids) => findUploads(ctx, ids)),
  previewTokens: (ctx) => byMap((ids) => findPreviewTokens(ctx, ids)),
  revisionsOfPost: (ctx) =>
    byArguments((pageArgs: ConnectionArgs & { withTexts: boolean }) =>
      byList((ids) => readRevisionsOfMany(ctx, ids, pageArgs)),
    ),
  revisionCounts: (ctx) => byMap((ids) => countRevisionsOf(ctx, ids)),
  commentsOfPost: (ctx) =>
    byArguments((pageArgs: ConnectionArgs) => byList((ids) => readCommentsOfMany(ctx, ids, pageArgs))),
  likesOfPost: (ctx) =>
    byArguments((pageArgs: ConnectionArgs) => byList((ids) => readLikesOfMany(ctx, ids, pageArgs))),
  commentsById: (ctx) => byMap((ids) => findCommentsById(ctx, ids)),
  categoriesById: (ctx) => byMap((ids) => findCategoriesById(ctx, ids)),
  tagsById: (ctx) => byMap((ids) => findTagsById(ctx, ids)),
  postsOfCategory: (ctx) =>
    byArguments(([pageArgs, selection]: [ConnectionArgs, PostSelection]) =>
      byList((titles) => readPostsOfCategories(ctx, titles, pageArgs, selection)),
    ),
  postsOfAuthor: (ctx) =>
    byArguments(([pageArgs, selection]: [ConnectionArgs, PostSelection]) =>
      byList((ids) => readPostsOfMany(ctx, ids, pageArgs, selection)),
    ),
});

/** Bytes of HTML that one operation may read: more than a response may have. */
const MAX_HTML = 20_000_000;

function limitHtml() {
  let left = MAX_HTML;
  return (bytes: number): void => {
    left -= bytes;
    if (left < 0)
      throw badInput(
        `the HTML of these posts has more than ${MAX_HTML / 1_000_000} MB: ask for fewer at once`,
      );
  };
}

type Factories = Record<string, (ctx: ReadCtx) => unknown>;

/** A computed field of a post, in a batch with those of others. */
export const loadComputed = <Field extends ComputedField>(
  { computed }: Loaders,
  field: Field,
  postId: string,
): Promise<ComputedFields[Field] | undefined> =>
  computed.load(postId, field) as Promise<ComputedFields[Field] | undefined>;

/** Creates a loader on first use: most operations need at most one. */
function lazyLoaders<M extends Factories>(factories: M) {
  class LazyLoaders {
    constructor(readonly ctx: ReadCtx) {}
  }
  for (const [name, make] of Object.entries(factories))
    Object.defineProperty(LazyLoaders.prototype, name, {
      get(this: LazyLoaders) {
        const value = make(this.ctx);
        Object.defineProperty(this, name, { value });
        return value;
      },
    });
  return (ctx: ReadCtx) =>
    new LazyLoaders(ctx) as unknown as { readonly [Name in keyof M]: ReturnType<M[Name]> };
}

function byMap<V>(load: (keys: readonly string[]) => Promise<Map<string, V>>) {
  return new DataLoader<string, V | undefined>(async (keys) => {
    const found = await load(keys);
    return keys.map((key) => found.get(key));
  });
}

const bySet = (load: (keys: readonly string[]) => Promise<Set<string>>) =>
  new DataLoader<string, boolean>(async (keys) => {
    const found = await load(keys);
    return keys.map((key) => found.has(key));
  });

const byList = <T extends Row>(load: (ids: readonly string[]) => Promise<Page<T>[]>) =>
  new DataLoader<string, Page<T>>(load);

/** Fields with equal arguments share a batch. */
function byArguments<Args, V>(make: (args: Args) => DataLoader<string, V>) {
  const loaders = new Map<string, DataLoader<string, V>>();
  return {
    load(id: string, args: Args): Promise<V> {
      const key = JSON.stringify(args);
      const loader = loaders.get(key) ?? make(args);
      loaders.set(key, loader);
      return loader.load(id);
    },
    clear: (id: string) => loaders.forEach((loader) => loader.clear(id)),
  };
}
