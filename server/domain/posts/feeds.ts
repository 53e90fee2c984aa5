import type { ReadCtx } from "../context.ts";
import { notFound } from "../../errors.ts";
import type { PostPayload } from "../post-selection.ts";
import { readFirstPosts, readPostGroups } from "./posts.ts";
import type { Row } from "../lists/connections.ts";
import { readProfile, type Profile } from "../profiles.ts";
import { findTag } from "./tags.ts";

const POSTS = 30;
/** Bytes of HTML in one feed; the posts beyond them come with their excerpts, and their HTML is not read. */
const MAX_HTML = 400_000;

const excerptOnly = { description: true, tags: true, author: "summary" } as const;
const whole = { ...excerptOnly, html: true } as const;

export type FeedPost = PostPayload<typeof excerptOnly> & { html: string | null };
/** `posts` reads their texts in groups. */
type Newest = { updatedAt: Date; posts: AsyncIterable<FeedPost[]>; length: number };
export type Feed = Newest & { category?: string; tag?: string; author?: Profile };

async function readNewest(
  ctx: ReadCtx,
  filter: { category?: string; tag?: string; author?: string },
): Promise<Newest> {
  const newest = await readFirstPosts(ctx, filter, POSTS);
  const updatedAt = new Date(Math.max(...newest.map((post) => post.updatedAt.getTime()), 0));
  return { updatedAt, posts: readTexts(ctx, newest), length: newest.length };
}

async function* readTexts(ctx: ReadCtx, newest: readonly Row[]): AsyncGenerator<FeedPost[]> {
  let [read, bytes] = [0, 0];
  for await (const group of readPostGroups(ctx, newest, whole)) {
    yield group.map((post) => {
      const html = post.html ?? ctx.markdown.toPlain(post.description);
      bytes += Buffer.byteLength(JSON.stringify(html));
      return { ...post, html: bytes <= MAX_HTML ? html : null };
    });
    read += group.length;
    if (bytes > MAX_HTML) break;
  }
  if (read === newest.length) return;
  for await (const group of readPostGroups(ctx, newest.slice(read), excerptOnly))
    yield group.map((post) => ({ ...post, html: null }));
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
