import type { ReadCtx } from "../context.ts";

export const POSTS_PER_SITEMAP = 10_000;
const MAX_TAGS = 1_000;

/** Ids and times of the posts of one file, newest first. @param page from 1 */
export const listPostPages = (ctx: ReadCtx, page: number) =>
  ctx.queries.postTimes((page - 1) * POSTS_PER_SITEMAP, POSTS_PER_SITEMAP);

export const listTagPages = (ctx: ReadCtx) => ctx.queries.tagNames(MAX_TAGS);
