import { randomUUID } from "node:crypto";
import type { CachedResponse, ResponseCache, DependencyTracker } from "./cached-response.ts";
import type { CacheTag, Invalidations } from "../domain/ports.ts";
import { LIMITS } from "../limits.ts";
import { tagsRemovedBy } from "./stale-pages.ts";
import { openTaggedLru } from "./tagged-lru.ts";

/** Invalidations recorded per tracker; beyond this its response counts as stale. */
const MAX_INVALIDATIONS = 1_000;

/** Concurrent trackers, and milliseconds each may take. Beyond these a response is not cached. */
const MAX_TRACKERS = 2_000;
const MAX_AGE = 60_000;

const hasForm = (cached?: CachedResponse) =>
  cached !== undefined && (cached.body !== null || Object.values(cached.compressed).length > 0);

/** The state after the first `count` invalidations during the build, by default all. An outdated response shows what was changed or deleted. */
function stateOf(
  { tags, invalidations }: DependencyTracker,
  count = invalidations.size,
): "current" | "stale" | "outdated" {
  let [left, isStale] = [count, false];
  for (const tag of invalidations) {
    if (left-- === 0) break;
    if (tags.has("*") || tag === "*" || tagsRemovedBy(tag).some((each) => tags.has(each))) return "outdated";
    isStale ||= tags.has(tag);
  }
  return isStale ? "stale" : "current";
}

const createTracker = (key: string, network: string): DependencyTracker => ({
  key,
  network,
  tags: new Set(),
  invalidations: new Set(),
  isTraceable: true,
  isPartial: false,
  route: "",
  since: performance.now(),
});

function recordInvalidations(trackers: Set<DependencyTracker>, tags: readonly CacheTag[]): void {
  const oldest = performance.now() - MAX_AGE;
  for (const tracker of trackers) {
    const { invalidations, isTraceable, since } = tracker;
    if (!isTraceable || since < oldest) trackers.delete(tracker);
    else
      for (const tag of invalidations.size < MAX_INVALIDATIONS ? tags : (["*"] as const))
        invalidations.add(tag);
  }
}

/**
 * @param maxBytes beyond this, the least recently used responses are evicted
 * @param keepsFirst whether a cached response is not replaced by one that was built meanwhile: both are current as far as
 *   this process was notified, but with replicas the second may be older
 */
export function openResponseCache(
  changes: Pick<Invalidations, "onChange" | "isListening">,
  maxBytes: number,
  keepsFirst = false,
): ResponseCache {
  const lru = openTaggedLru(maxBytes, LIMITS.stale.most);
  const trackers = new Set<DependencyTracker>();
  let [hits, misses] = [0, 0];

  changes.onChange((tags) => {
    recordInvalidations(trackers, tags);
    lru.removeAll(tags);
  });

  const isCacheable = (tracker: DependencyTracker) =>
    tracker.isTraceable && tracker.tags.size > 0 && trackers.has(tracker) && changes.isListening();
  const isShareable = (tracker: DependencyTracker, invalidations?: number) =>
    isCacheable(tracker) && stateOf(tracker, invalidations) === "current";
  const isStorable = (tracker: DependencyTracker) => isShareable(tracker);

  return {
    size: () => ({ ...lru.size(), hits, misses, trackers: trackers.size }),
    findCurrent: (key) => lru.find(key) ?? null,
    find(key, isUsable = () => true, networkOf) {
      const found = lru.find(key, networkOf);
      const cached = found && isUsable(found) ? found : undefined;
      if (cached) hits++;
      return cached;
    },

    begin(key, network): DependencyTracker {
      misses++;
      const tracker = createTracker(key, network);
      const [oldest] = trackers.size < MAX_TRACKERS ? [] : trackers;
      if (oldest) trackers.delete(oldest);
      trackers.add(tracker);
      return tracker;
    },

    end: (tracker) => void trackers.delete(tracker),

    ...{ isStorable, isShareable, findStale: lru.findStale, resize: lru.resize },

    etagOfStream(key, tracker) {
      if (!isStorable(tracker)) return null;
      // Nobody may learn from it whether anything has changed: a registration changes something for new addresses only.
      return lru.find(key)?.headers["etag"] ?? `W/"${randomUUID()}"`;
    },

    store(key, cached, tracker) {
      if (!isCacheable(tracker)) return false;
      const stored = { cached, tags: tracker.tags, network: tracker.network };
      const state = stateOf(tracker);
      if (state === "stale") lru.putStale(key, stored, performance.now() - tracker.since);
      if (state !== "current") return false;
      if (cached.body === null) return lru.putStream(key, stored);
      return !(keepsFirst && hasForm(lru.find(key))) && lru.put(key, stored);
    },
  };
}
