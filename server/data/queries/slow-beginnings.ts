import { LRUCache } from "lru-cache";
import type { SearchQuery, SearchTerm } from "../../domain/post-selection.ts";

/** Milliseconds of a search after which, the second time, the words that it took for beginnings are searched as whole words, and for how long. */
const SLOW = 1_000;
const SLOW_FOR = 10 * 60_000;

/** Words with which thousands of others begin: the index has an entry for each of these, and is read for seconds. */
export function openSlowBeginnings() {
  const slow = new LRUCache<string, number>({
    ...{ max: 1_000, ttl: SLOW_FOR, perf: { now: () => Date.now() } },
  });
  const keyOf = ({ words }: SearchTerm) => (words.at(-1) ?? "").toLowerCase();
  const isSlow = (term: SearchTerm) => (slow.get(keyOf(term)) ?? 0) > 1;
  const withoutSlow = (query: SearchQuery): SearchQuery => ({
    ...query,
    terms: query.terms.map((term) => (isSlow(term) ? { ...term, isPrefix: false } : term)),
  });
  return async <T>(query: SearchQuery, run: (query: SearchQuery) => Promise<T>): Promise<T> => {
    const faster = withoutSlow(query);
    const began = performance.now();
    try {
      return await run(faster);
    } finally {
      if (performance.now() - began > SLOW)
        for (const term of faster.terms)
          if (term.isPrefix) slow.set(keyOf(term), 1 + (slow.get(keyOf(term)) ?? 0));
    }
  };
}
