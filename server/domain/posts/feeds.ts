import type { ReadCtx } from "../context.ts";
import { notFound } from "../../errors.ts";
import { readFirstPosts } from "./posts.ts";
import { readProfile, type Profile } from "../profiles.ts";
import { findTag } from "./tags.ts";

const POSTS = 30;

const feedPost = { description: true, html: true, tags: true, author: "summary" } as const;

export type FeedPost = Awaited<ReturnType<typeof readNewest>>[number];
export type Feed = { posts: FeedPost[]; category?: string; tag?: string; author?: Profile };

const readNewest = (ctx: ReadCtx, filter: { category?: string; tag?: string; author?: string }) =>
  readFirstPosts(ctx, filter, POSTS, feedPost);

export const readFeed = async (ctx: ReadCtx): Promise<Feed> => ({ posts: await readNewest(ctx, {}) });

/** @throws BAD_USER_INPUT; NOT_FOUND if there is neither such a category nor a post of it */
export async function readCategoryFeed(ctx: ReadCtx, category: string): Promise<Feed> {
  const [posts, categories] = await Promise.all([readNewest(ctx, { category }), ctx.queries.categories()]);
  if (posts.length === 0 && !categories.some(({ title }) => title === category)) throw notFound("category");
  return { posts, category };
}

/** @param name any spelling of the tag's name @throws BAD_USER_INPUT; NOT_FOUND if no post carries the tag */
export async function readTagFeed(ctx: ReadCtx, name: string): Promise<Feed> {
  const tag = await findTag(ctx, name);
  if (!tag) throw notFound("tag");
  return { posts: await readNewest(ctx, { tag: tag.name }), tag: tag.name };
}

/** @throws BAD_USER_INPUT `invalid id`, NOT_FOUND */
export async function readAuthorFeed(ctx: ReadCtx, id: string): Promise<Feed> {
  const author = await readProfile(ctx, id);
  return { posts: await readNewest(ctx, { author: author.id }), author };
}
