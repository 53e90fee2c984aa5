import { LRUCache } from "lru-cache";
import type { CachedResponse } from "./cached-response.ts";
import type { CacheTag } from "../domain/ports.ts";
import { compact } from "../http/compression.ts";
import { canBeStale, staleForm, tagsRemovedBy } from "./stale-pages.ts";

/** Estimated bytes of an entry's headers, and of each of its tags. */
const OVERHEAD = 2_000;
const TAG = 400;
/** Milliseconds. Bounds the age of time-dependent content, such as the year in the footer. */
const LIFETIME = 60 * 60 * 1000;
/** Part of the cache for responses that several networks have requested. Others are evicted first, so that no network evicts these. */
const SHARED = 3 / 4;
/** Bytes of a large response, as a whole and compressed, and the part of the cache beyond which these evict each other. */
const [LARGE, LARGE_COMPRESSED] = [128 * 1024, 64 * 1024];
const LARGE_PART = 1 / 2;

const bytesOf = ({ body, compressed: { br, gzip } }: CachedResponse) =>
  (body?.length ?? 0) + (br?.length ?? 0) + (gzip?.length ?? 0);

const isLarge = ({ body, compressed: { br, gzip } }: CachedResponse) =>
  (body?.length ?? 0) > LARGE || Math.max(br?.length ?? 0, gzip?.length ?? 0) > LARGE_COMPRESSED;

const sizeOf = (key: string, { cached, tags }: Stored) =>
  bytesOf(cached) + key.length * 2 + tags.size * TAG + OVERHEAD;

export type Stored = {
  cached: CachedResponse;
  tags: ReadonlySet<CacheTag>;
  network: string;
};

type Entry = Stored & {
  size: number;
  start: number;
  /** Milliseconds since 1970, null while it is current. */
  staleSince: number | null;
};

/** An LRU cache bounded by bytes, whose entries can be removed by tag. */
export function openTaggedLru(maxBytes: number, maxStale: number) {
  const index = openTagIndex();
  const { peek, get, set, remove, clear, size, resize } = openSegments(maxBytes, index);
  const isCurrent = (key: string) => peek(key)?.staleSince === null;

  /** @returns false if the entry takes more than an eighth of the cache */
  function put(key: string, stored: Stored, staleSince: number | null = null): boolean {
    compact(stored.cached);
    const bytes = sizeOf(key, stored);
    const fits = bytes <= maxBytes / 8;
    if (fits) set(key, { ...stored, size: bytes, start: Date.now(), staleSince });
    else remove(key);
    return fits;
  }

  function makeStale(key: string): void {
    const entry = peek(key);
    if (!entry) return;
    if (canBeStale(entry.cached)) entry.staleSince ??= Date.now();
    else remove(key);
  }

  return {
    ...{ put, size, resize },

    /** @param networkOf the network of the request: a response is shared once another network has requested it */
    find(key: string, networkOf?: () => string): CachedResponse | undefined {
      const found = get(key, networkOf);
      return found?.staleSince === null ? found.cached : undefined;
    },

    findStale(key: string): CachedResponse | null {
      const entry = peek(key);
      const isFound = entry?.staleSince != null && Date.now() - entry.staleSince < maxStale;
      return isFound ? staleForm(entry.cached) : null;
    },

    /** Only its ETag is cached if it is too long, or not compressed: a gzipped form that is cached already stays. */
    putStream: (key: string, stored: Stored): boolean =>
      (stored.cached.compressed.gzip !== undefined && put(key, stored)) ||
      isCurrent(key) ||
      put(key, { ...stored, cached: { ...stored.cached, compressed: {} } }),

    /** Of a page that has become stale since it began to be built, milliseconds ago. */
    putStale(key: string, stored: Stored, age: number): void {
      const since = Date.now() - age;
      const former = peek(key);
      const isNewer = former !== undefined && (former.staleSince ?? Infinity) >= since;
      if (!isNewer && canBeStale(stored.cached)) put(key, stored, since);
    },

    removeAll(tags: readonly CacheTag[]): void {
      if (tags.includes("*")) clear();
      // Entries tagged "*" depend on everything.
      for (const tag of [...tags.flatMap(tagsRemovedBy), "*" as const])
        for (const key of index.keysOf(tag)) remove(key);
      for (const tag of tags) for (const key of index.keysOf(tag)) makeStale(key);
    },
  };
}

type Segment = LRUCache<string, Entry>;
type Segments = Record<"shared" | "unshared", Segment>;

const bytesIn = ({ shared, unshared }: Segments) => shared.calculatedSize + unshared.calculatedSize;

function evictFrom(segments: Segments): void {
  const { shared, unshared } = segments;
  (unshared.size === 0 || shared.calculatedSize > SHARED * bytesIn(segments) ? shared : unshared).pop();
}

function openSegments(maxBytes: number, index: ReturnType<typeof openTagIndex>) {
  const open = (): Segment =>
    new LRUCache({
      maxSize: maxBytes,
      ttl: LIFETIME,
      ttlResolution: 1_000,
      perf: { now: () => Date.now() },
      dispose: ({ tags }, key) => index.remove(key, tags),
    });
  const openBoth = (): Segments => ({ shared: open(), unshared: open() });
  const [small, large] = [openBoth(), openBoth()];
  const all = [small, large].flatMap(({ shared, unshared }) => [shared, unshared]);
  const bytes = () => bytesIn(small) + bytesIn(large);
  const sameSize = ({ cached }: Entry) => (isLarge(cached) ? large : small);

  function insert(segment: Segment, key: string, entry: Entry): void {
    const { size, start, tags } = entry;
    segment.set(key, entry, { size, start });
    index.add(key, tags);
    while (bytes() > maxBytes) evictFrom(bytesIn(large) > LARGE_PART * maxBytes ? large : small);
  }

  function getUnshared(key: string, networkOf?: () => string): Entry | undefined {
    const found = small.unshared.get(key) ?? large.unshared.get(key);
    if (found && networkOf && found.staleSince === null && found.network !== networkOf()) {
      removeFrom("unshared", key);
      insert(sameSize(found).shared, key, found);
    }
    return found;
  }

  const removeFrom = (segment: keyof Segments, key: string) =>
    small[segment].delete(key) || large[segment].delete(key);
  const remove = (key: string) => void (removeFrom("shared", key) || removeFrom("unshared", key));

  function set(key: string, entry: Entry): void {
    // Also an expired one, which would remove the key from the index later.
    const isShared = removeFrom("shared", key);
    removeFrom("unshared", key);
    insert(sameSize(entry)[isShared ? "shared" : "unshared"], key, entry);
  }

  const peekIn = (segment: keyof Segments, key: string) =>
    small[segment].peek(key) ?? large[segment].peek(key);
  const peek = (key: string) => peekIn("shared", key) ?? peekIn("unshared", key);
  const getShared = (key: string) => small.shared.get(key) ?? large.shared.get(key);
  return {
    ...{ peek, set, remove },
    get: (key: string, networkOf?: () => string) => getShared(key) ?? getUnshared(key, networkOf),
    resize(key: string, cached: CachedResponse): void {
      const entry = peek(key);
      const size = entry ? sizeOf(key, entry) : 0;
      // A stale form shares the compressed ones.
      if (entry?.cached.compressed === cached.compressed && entry.size !== size) set(key, { ...entry, size });
    },
    clear: () => all.forEach((segment) => segment.clear()),
    size: () => ({ entries: all.reduce((sum, { size }) => sum + size, 0), bytes: bytes() }),
  };
}

function openTagIndex() {
  const keysByTag = new Map<CacheTag, Set<string>>();
  return {
    keysOf: (tag: CacheTag): string[] => [...(keysByTag.get(tag) ?? [])],
    add(key: string, tags: ReadonlySet<CacheTag>): void {
      for (const tag of tags) {
        const keys = keysByTag.get(tag) ?? new Set();
        keysByTag.set(tag, keys.add(key));
      }
    },
    remove(key: string, tags: ReadonlySet<CacheTag>): void {
      for (const tag of tags) {
        const keys = keysByTag.get(tag);
        keys?.delete(key);
        if (keys?.size === 0) keysByTag.delete(tag);
      }
    },
  };
}
