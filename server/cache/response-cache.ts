import type { Answer, Answers, Reading } from "./cached-response.ts";
import type { Changes } from "../domain/ports.ts";
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
export function openAnswers(changes: Changes, maxBytes: number): Answers {
  const shelf = openShelf(maxBytes);
  const open = new Set<Reading>();
  let hits = 0;
  let misses = 0;

  changes.onChange((tags) => {
    const oldest = performance.now() - MAX_AGE;
    for (const reading of open) {
      const { cuts, isTraceable, since } = reading;
      if (!isTraceable || since < oldest) open.delete(reading);
      else for (const tag of cuts.size < MOST_CUTS ? tags : (["*"] as const)) cuts.add(tag);
    }
    shelf.removeAll(tags);
  });

  /** An answer read from something that changed meanwhile may be old already. */
  const isCurrent = ({ tags, cuts }: Reading) => !cuts.has("*") && ![...cuts].some((tag) => tags.has(tag));

  return {
    size: () => ({ ...shelf.size(), hits, misses, readings: open.size }),

    find(key: string): Answer | undefined {
      const answer = shelf.find(key);
      if (answer) hits++;
      else misses++;
      return answer;
    },

    begin(): Reading {
      const since = performance.now();
      const reading: Reading = { tags: new Set(), cuts: new Set(), isTraceable: true, route: "", since };
      const [oldest] = open.size < MAX_READINGS ? [] : open;
      if (oldest) open.delete(oldest);
      open.add(reading);
      return reading;
    },

    end: (reading) => void open.delete(reading),

    keep(key, answer, reading) {
      const isWhole = reading.isTraceable && reading.tags.size > 0 && open.has(reading);
      return isWhole && isCurrent(reading) && changes.isListening() && shelf.put(key, answer, reading.tags);
    },
  };
}
