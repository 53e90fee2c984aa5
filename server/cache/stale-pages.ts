import type { CachedResponse } from "./cached-response.ts";
import type { CacheTag } from "../domain/ports.ts";

/**
 * Tags of the order and number of posts, and of their rendering: for some seconds, a page that shows them as they were harms
 * nobody. Changed and deleted posts, comments and names have tags of their own: a page that shows them is never sent again.
 */
export const isOfLists = (tag: CacheTag): boolean => tag === "posts" || /^(author|html):/.test(tag);

/** Pages take the most work. Programs, which use the APIs, rely on exact responses. */
export const canBeStale = ({ headers, body }: CachedResponse): boolean =>
  body !== null && headers["content-type"]?.startsWith("text/html") === true;

/** Headers by which browsers and CDNs would store it. */
const STORAGE_HEADERS = new Set(["etag", "surrogate-key", "cache-tag"]);

export function staleForm(cached: CachedResponse): CachedResponse {
  const headers = Object.entries(cached.headers).filter(([name]) => !STORAGE_HEADERS.has(name));
  return { ...cached, headers: { ...Object.fromEntries(headers), "cache-control": "no-store" }, heads: {} };
}
