import type { CachedResponse, ResponseCache, DependencyTracker } from "./cached-response.ts";
import type { Invalidations } from "../domain/ports.ts";
import { openShelf } from "./tagged-lru.ts";

/** Who takes so long that more than that changes meanwhile has read something old. */
const MOST_CUTS = 1_000;

/** Answers that are being made at the same time; milliseconds one may take. Beyond these it is not kept. */
const MAX_READINGS = 2_000;
const MAX_AGE = 60_000;

/**
 * Finished answers, kept until a change of what they were read from is heard of.
 * @param maxBytes the least recently used go first
 */
export function openResponseCache(changes: Invalidations, maxBytes: number): ResponseCache {
  const shelf = openShelf(maxBytes);
  const open = new Set<DependencyTracker>();
  let hits = 0;
  let misses = 0;

  changes.onChange((tags) => {
    const oldest = performance.now() - MAX_AGE;
    for (const reading of open) {
      const { invalidations, isTraceable, since } = reading;
      if (!isTraceable || since < oldest) open.delete(reading);
      else for (const tag of invalidations.size < MOST_CUTS ? tags : (["*"] as const)) invalidations.add(tag);
    }
    shelf.removeAll(tags);
  });

  /** An answer read from something that changed meanwhile may be old already. */
  const isCurrent = ({ tags, invalidations }: DependencyTracker) =>
    !invalidations.has("*") && ![...invalidations].some((tag) => tags.has(tag));

  return {
    size: () => ({ ...shelf.size(), hits, misses, readings: open.size }),

    find(key: string): CachedResponse | undefined {
      const answer = shelf.find(key);
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
      const [oldest] = open.size < MAX_READINGS ? [] : open;
      if (oldest) open.delete(oldest);
      open.add(reading);
      return reading;
    },

    end: (reading) => void open.delete(reading),

    store(key, answer, reading) {
      const isWhole = reading.isTraceable && reading.tags.size > 0 && open.has(reading);
      return isWhole && isCurrent(reading) && changes.isListening() && shelf.put(key, answer, reading.tags);
    },
  };
}
