import type { CachedResponse, ResponseCache, DependencyTracker } from "./cached-response.ts";
import type { Invalidations } from "../domain/ports.ts";
import { openTaggedLru } from "./tagged-lru.ts";

/** Invalidations recorded per tracker; beyond this its response counts as stale. */
const MAX_INVALIDATIONS = 1_000;

/** Concurrent trackers, and milliseconds each may take. Beyond these a response is not cached. */
const MAX_TRACKERS = 2_000;
const MAX_AGE = 60_000;

/** @param maxBytes beyond this, the least recently used responses are evicted */
export function openResponseCache(changes: Invalidations, maxBytes: number): ResponseCache {
  const lru = openTaggedLru(maxBytes);
  const open = new Set<DependencyTracker>();
  let hits = 0;
  let misses = 0;

  changes.onChange((tags) => {
    const oldest = performance.now() - MAX_AGE;
    for (const reading of open) {
      const { invalidations, isTraceable, since } = reading;
      if (!isTraceable || since < oldest) open.delete(reading);
      else
        for (const tag of invalidations.size < MAX_INVALIDATIONS ? tags : (["*"] as const))
          invalidations.add(tag);
    }
    lru.removeAll(tags);
  });

  /** Whether none of its dependencies was invalidated while the response was built. */
  const isCurrent = ({ tags, invalidations }: DependencyTracker) =>
    !invalidations.has("*") && ![...invalidations].some((tag) => tags.has(tag));

  return {
    size: () => ({ ...lru.size(), hits, misses, readings: open.size }),

    find(key: string): CachedResponse | undefined {
      const answer = lru.find(key);
      if (answer) hits++;
      else misses++;
      return answer;
    },

    begin(): DependencyTracker {
      const since = performance.now();
      const reading: DependencyTracker = {
        tags: new Set(),
        invalidations: new Set(),
        isTraceable: true,
        route: "",
        since,
      };
      const [oldest] = open.size < MAX_TRACKERS ? [] : open;
      if (oldest) open.delete(oldest);
      open.add(reading);
      return reading;
    },

    end: (reading) => void open.delete(reading),

    store(key, answer, reading) {
      const isWhole = reading.isTraceable && reading.tags.size > 0 && open.has(reading);
      return isWhole && isCurrent(reading) && changes.isListening() && lru.put(key, answer, reading.tags);
    },
  };
}
