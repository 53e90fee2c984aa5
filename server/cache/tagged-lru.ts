import { LRUCache } from "lru-cache";
import type { CachedResponse } from "./cached-response.ts";
import type { CacheTag } from "../domain/ports.ts";

/** Estimated bytes of an entry's headers, and of each of its tags. */
const OVERHEAD = 2_000;
const TAG = 400;
/** Milliseconds. Bounds the age of time-dependent content, such as the year in the footer. */
const LIFETIME = 60 * 60 * 1000;

/** Twice a whole body: its compressed forms, which are added later, are smaller together. */
const bytesOf = ({ body, compressed }: CachedResponse) =>
  body === null ? (compressed.gzip?.length ?? 0) : body.length * 2;

type Entry = { cached: CachedResponse; tags: ReadonlySet<CacheTag> };

/** An LRU cache bounded by bytes, whose entries can be removed by tag. */
export function openTaggedLru(maxBytes: number) {
  const keysOf = new Map<CacheTag, Set<string>>();
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    ttl: LIFETIME,
    ttlResolution: 1_000,
    perf: { now: () => Date.now() },
    dispose({ tags }, key) {
      for (const tag of tags) {
        const keys = keysOf.get(tag);
        keys?.delete(key);
        if (keys?.size === 0) keysOf.delete(tag);
      }
    },
  });

  /** @returns false if the entry takes more than an eighth of the cache */
  function put(key: string, cached: CachedResponse, tags: ReadonlySet<CacheTag>): boolean {
    const size = bytesOf(cached) + key.length * 2 + tags.size * TAG + OVERHEAD;
    if (size > maxBytes / 8) {
      entries.delete(key);
      return false;
    }
    entries.set(key, { cached, tags }, { size });
    for (const tag of tags) {
      const keys = keysOf.get(tag) ?? new Set();
      keysOf.set(tag, keys.add(key));
    }
    return true;
  }

  return {
    put,
    size: () => ({ entries: entries.size, bytes: entries.calculatedSize }),

    find: (key: string): CachedResponse | undefined => entries.get(key)?.cached,

    /** Only its ETag is cached if it is too long, or not compressed: a gzipped form that is cached already stays. */
    putStream: (key: string, cached: CachedResponse, tags: ReadonlySet<CacheTag>): boolean =>
      (cached.compressed.gzip !== undefined && put(key, cached, tags)) ||
      entries.has(key) ||
      put(key, { ...cached, compressed: {} }, tags),

    removeAll(tags: readonly CacheTag[]): void {
      if (tags.includes("*")) entries.clear();
      // Entries tagged "*" depend on everything.
      for (const tag of [...tags, "*" as const])
        for (const key of [...(keysOf.get(tag) ?? [])]) entries.delete(key);
    },
  };
}
