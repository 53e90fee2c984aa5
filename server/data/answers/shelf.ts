import type { Answer } from "../../answers.ts";
import type { Tag } from "../../changes.ts";

/** What an entry costs beside its body and key: its headers, and each of its tags. */
const OVERHEAD = 2_000;
const TAG = 400;
/** Whatever an answer says of time, the year in the footer for instance, is put right by then. */
const LIFETIME = 60 * 60 * 1000;

type Entry = { answer: Answer; tags: ReadonlySet<Tag>; bytes: number; until: number };

/** Answers by key, removable by tag, bounded by their bytes. */
export function openShelf(maxBytes: number) {
  const entries = new Map<string, Entry>();
  const keysOf = new Map<Tag, Set<string>>();
  let bytes = 0;

  function remove(key: string): void {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    bytes -= entry.bytes;
    for (const tag of entry.tags) {
      const keys = keysOf.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) keysOf.delete(tag);
    }
  }

  return {
    size: () => ({ entries: entries.size, bytes }),

    find(key: string): Answer | undefined {
      const entry = entries.get(key);
      if (!entry) return undefined;
      // The latest used stand last.
      entries.delete(key);
      entries.set(key, entry);
      if (entry.until > Date.now()) return entry.answer;
      remove(key);
      return undefined;
    },

    /** @returns whether there is room for it */
    put(key: string, answer: Answer, tags: ReadonlySet<Tag>): boolean {
      remove(key);
      // Its compressed twin comes later and is smaller.
      const weight = answer.body.length * 2 + key.length * 2 + tags.size * TAG + OVERHEAD;
      if (weight > maxBytes / 8) return false;
      entries.set(key, { answer, tags, bytes: weight, until: Date.now() + LIFETIME });
      bytes += weight;
      for (const tag of tags) {
        const keys = keysOf.get(tag) ?? new Set();
        keysOf.set(tag, keys.add(key));
      }
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break;
        remove(oldest);
      }
      return true;
    },

    removeAll(tags: readonly Tag[]): void {
      if (tags.includes("*")) for (const key of [...entries.keys()]) remove(key);
      for (const tag of tags) for (const key of [...(keysOf.get(tag) ?? [])]) remove(key);
    },
  };
}
