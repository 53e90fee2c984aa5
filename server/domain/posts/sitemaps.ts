import { createBulkhead } from "../../queue.ts";
import type { ReadCtx } from "../context.ts";

export const POSTS_PER_SITEMAP = 10_000;
const MOST_TAGS = 1_000;

const queueSitemaps = createBulkhead("feeds");

/**
 * Ids and times of the posts of one file, newest first.
 * @param page from 1
 * @throws UNAVAILABLE
 */
export const listPostPages = (ctx: ReadCtx, page: number) =>
  queueSitemaps(() => ctx.queries.postTimes((page - 1) * POSTS_PER_SITEMAP, POSTS_PER_SITEMAP), ctx.origin);

/** The names of the tags with the most posts. @throws UNAVAILABLE */
export const listTagPages = (ctx: ReadCtx) =>
  queueSitemaps(() => ctx.queries.tagNames(MOST_TAGS), ctx.origin);
