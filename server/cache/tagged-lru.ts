import { LRUCache } from "lru-cache";
import type { CachedResponse } from "./cached-response.ts";
import type { Tag } from "../domain/ports.ts";

/** What an entry costs beside its body and key: its headers, and each of its tags. */
const OVERHEAD = 2_000;
const TAG = 400;
/** Milliseconds. Whatever an answer says of time, the year in the footer for instance, is put right by then. */
const LIFETIME = 60 * 60 * 1000;

type Entry = { answer: CachedResponse; tags: ReadonlySet<Tag> };

/** Answers by key, removable by tag, bounded by their bytes. */
export function openShelf(maxBytes: number) {
  const keysOf = new Map<Tag, Set<string>>();
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    ttl: LIFETIME,
    // The time is not looked up for each that is asked for.
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

  return {
    size: () => ({ entries: entries.size, bytes: entries.calculatedSize }),

    find: (key: string): CachedResponse | undefined => entries.get(key)?.answer,

    /** @returns whether there is room for it */
    put(key: string, answer: CachedResponse, tags: ReadonlySet<Tag>): boolean {
      // Its compressed forms come later; together they are smaller.
      const size = answer.body.length * 2 + key.length * 2 + tags.size * TAG + OVERHEAD;
      if (size > maxBytes / 8) {
        entries.delete(key);
        return false;
      }
      entries.set(key, { answer, tags }, { size });
      for (const tag of tags) {
        const keys = keysOf.get(tag) ?? new Set();
        keysOf.set(tag, keys.add(key));
      }
      return true;
    },

    removeAll(tags: readonly Tag[]): void {
      if (tags.includes("*")) entries.clear();
      for (const tag of tags) for (const key of [...(keysOf.get(tag) ?? [])]) entries.delete(key);
    },
  };
}
