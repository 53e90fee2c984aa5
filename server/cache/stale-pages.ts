import type { CachedResponse } from "./cached-response.ts";
import type { CacheTag } from "../domain/ports.ts";

/** Of the order and number of posts, what a list shows of them, likes, new comments, the rendering of a text, and profiles. */
const allowsStale = (tag: CacheTag): boolean =>
  tag === "posts" || /^(author|byline|content|html|post|user):/.test(tag);

/**
 * The tags of the responses that a change removes at once: of a changed text or comment, or of a deleted post or account. Other
 * changes, and what other pages show of a deleted post, make pages stale.
 */
export function tagsRemovedBy(tag: CacheTag): CacheTag[] {
  if (allowsStale(tag)) return [];
  const [kind, id] = tag.split(":");
  if (kind === "text") return [`html:${id}`];
  return kind === "deleted" ? [`html:${id}`, `user:${id}`] : [tag];
}

/** Pages take the most work. Programs, which use the APIs, rely on exact responses. */
export const canBeStale = ({ headers }: CachedResponse): boolean =>
  headers["content-type"]?.startsWith("text/html") === true;

const STORAGE_HEADERS = new Set(["etag", "surrogate-key", "cache-tag"]);

export function staleForm(cached: CachedResponse): CachedResponse {
  const headers = Object.entries(cached.headers).filter(([name]) => !STORAGE_HEADERS.has(name));
  return { ...cached, headers: { ...Object.fromEntries(headers), "cache-control": "no-store" }, heads: {} };
}
