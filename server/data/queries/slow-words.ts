import { LRUCache } from "lru-cache";
import type { SearchQuery, SearchTerm } from "../../domain/post-selection.ts";

/** Milliseconds of a search after which, the second time, its words are searched exactly, and for how long. */
const SLOW = 1_000;
const SLOW_FOR = 10 * 60_000;

type Run<T> = (query: SearchQuery, isExact: boolean) => Promise<T>;

/** For words with which thousands of others begin, or that thousands of names resemble (none is searched if `isExact`): the index is read for seconds. */
export function openSlowWords() {
  const slow = new LRUCache<string, number>({
    ...{ max: 1_000, ttl: SLOW_FOR, perf: { now: () => Date.now() } },
  });
  const keyOf = ({ words }: SearchTerm) => (words.at(-1) ?? "").toLowerCase();
  const isSlow = (term: SearchTerm) => (slow.get(keyOf(term)) ?? 0) > 1;
  return async <T>(query: SearchQuery, run: Run<T>): Promise<T> => {
    const isExact = query.terms.some(isSlow);
    const terms = query.terms.map((term) => (isSlow(term) ? { ...term, isPrefix: false } : term));
    const began = performance.now();
    try {
      return await run({ ...query, terms }, isExact);
    } finally {
      if (performance.now() - began > SLOW)
        for (const term of query.terms)
          if (!term.isExcluded && !isSlow(term)) slow.set(keyOf(term), 1 + (slow.get(keyOf(term)) ?? 0));
    }
  };
}
