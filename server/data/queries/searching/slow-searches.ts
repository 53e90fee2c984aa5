import { LRUCache } from "lru-cache";
import type { SearchQuery, SearchTerm } from "../../../domain/post-selection.ts";

/** Milliseconds of a search after which, the second time, the words that it took for beginnings are searched as whole words, and for how long. */
const SLOW = 1_000;
const SLOW_FOR = 10 * 60_000;
/** Milliseconds of a search after which those that follow leave out similar names, for a multiple of its time. */
const SLOW_WITH_NAMES = 300;
const PAUSE = 20;

type Run<T> = (query: SearchQuery, mayBeMisspelt: boolean) => Promise<T>;

/** Limits the time of words with which thousands of others begin, or that thousands of names resemble: the index has an entry for each of these. */
export function openSlowSearches() {
  const slow = new LRUCache<string, number>({
    ...{ max: 1_000, ttl: SLOW_FOR, perf: { now: () => Date.now() } },
  });
  let pausedUntil = -Infinity;
  const keyOf = ({ words }: SearchTerm) => (words.at(-1) ?? "").toLowerCase();
  const isSlow = (term: SearchTerm) => (slow.get(keyOf(term)) ?? 0) > 1;
  const withoutSlow = (query: SearchQuery): SearchQuery => ({
    ...query,
    terms: query.terms.map((term) => (isSlow(term) ? { ...term, isPrefix: false } : term)),
  });
  return async <T>(query: SearchQuery, run: Run<T>): Promise<T> => {
    const faster = withoutSlow(query);
    const began = performance.now();
    const mayBeMisspelt = began >= pausedUntil;
    try {
      return await run(faster, mayBeMisspelt);
    } finally {
      const now = performance.now();
      if (mayBeMisspelt && now - began > SLOW_WITH_NAMES) pausedUntil = now + PAUSE * (now - began);
      if (now - began > SLOW)
        for (const term of faster.terms)
          if (term.isPrefix) slow.set(keyOf(term), 1 + (slow.get(keyOf(term)) ?? 0));
    }
  };
}
