import type { ReadCtx } from "../context.ts";
import { notFound } from "../../errors.ts";
import type { PostPayload } from "../post-selection.ts";
import { readFirstPosts, readPostGroups } from "./posts.ts";
import { readProfile, type Profile } from "../profiles.ts";
import { findTag } from "./tags.ts";

const POSTS = 30;

const feedPost = { description: true, html: true, tags: true, author: "summary" } as const;

export type FeedPost = PostPayload<typeof feedPost>;
/** `posts` reads their texts in groups. */
type Newest = { updatedAt: Date; posts: AsyncIterable<FeedPost[]>; length: number };
export type Feed = Newest & { category?: string; tag?: string; author?: Profile };

async function readNewest(
  ctx: ReadCtx,
  filter: { category?: string; tag?: string; author?: string },
): Promise<Newest> {
  const newest = await readFirstPosts(ctx, filter, POSTS);
  const updatedAt = new Date(Math.max(...newest.map((post) => post.updatedAt.getTime()), 0));
  return { updatedAt, posts: readPostGroups(ctx, newest, feedPost), length: newest.length };
}

export const readFeed = (ctx: ReadCtx): Promise<Feed> => readNewest(ctx, {});

/** @throws BAD_USER_INPUT; NOT_FOUND if there is neither such a category nor a post of it */
export async function readCategoryFeed(ctx: ReadCtx, category: string): Promise<Feed> {
  const [newest, categories] = await Promise.all([readNewest(ctx, { category }), ctx.queries.categories()]);
  if (newest.length === 0 && !categories.some(({ title }) => title === category)) throw notFound("category");
  return { ...newest, category };
}

/** @param name any spelling of the tag's name @throws BAD_USER_INPUT; NOT_FOUND if no post carries the tag */
export async function readTagFeed(ctx: ReadCtx, name: string): Promise<Feed> {
  const tag = await findTag(ctx, name);
  if (!tag) throw notFound("tag");
  return { ...(await readNewest(ctx, { tag: tag.name })), tag: tag.name };
}

/** @throws BAD_USER_INPUT `invalid id`, NOT_FOUND */
export async function readAuthorFeed(ctx: ReadCtx, id: string): Promise<Feed> {
  const author = await readProfile(ctx, id);
  return { ...(await readNewest(ctx, { author: author.id })), author };
}
