import type { IncomingMessage } from "node:http";
import type { CacheTag } from "../domain/ports.ts";
import type { Encoding } from "../http/compression.ts";
import type { CacheSize } from "../http/metrics.ts";

/** A complete response, sent again byte for byte. */
export type CachedResponse = {
  headers: Record<string, string>;
  /** Null if a compressed form is enough, and for a streamed list, of which at most the gzipped form is cached. */
  body: Buffer | null;
  compressed: Partial<Record<Encoding, Buffer>>;
  /** Headers of each form, built on first use. */
  heads: Partial<Record<Encoding | "plain", string[]>>;
  /** The route's pattern, for the log. */
  route: string;
};

/** Records the dependencies of a response while it is built, and their invalidations meanwhile. */
export type DependencyTracker = {
  key: string;
  network: string;
  tags: Set<CacheTag>;
  invalidations: Set<CacheTag>;
  /** False for a write, and once anything was read that tags cannot name. */
  isTraceable: boolean;
  /** Of a page without its data, sent where the response had to wait too long. */
  isPartial: boolean;
  route: string;
  since: number;
};

export type Trackers = WeakMap<IncomingMessage, DependencyTracker>;

/** Complete responses, each cached until something it depends on changes. */
export type ResponseCache = {
  /** @param isUsable whether a cached response can be sent @param networkOf the network of the request */
  find: (
    key: string,
    isUsable?: (cached: CachedResponse) => boolean,
    networkOf?: () => string,
  ) => CachedResponse | undefined;
  /** A page that was built meanwhile. Not counted as a hit. */
  findCurrent: (key: string) => CachedResponse | null;
  /** A page that is stale for a minute at most, for a reader who would wait long. Not counted as a hit. */
  findStale: (key: string) => CachedResponse | null;
  /** Of a miss. Every tracker has to be ended, also after an error. */
  begin: (key: string, network: string) => DependencyTracker;
  end: (tracker: DependencyTracker) => void;
  isStorable: (tracker: DependencyTracker) => boolean;
  /** Whether a response is of no earlier state than that after the tracker's first `invalidations`. */
  isShareable: (tracker: DependencyTracker, invalidations: number) => boolean;
  /**
   * The ETag of a response that begins to be streamed, null if it cannot be stored. It is recognized from the end of the
   * response until one of its dependencies changes.
   */
  etagOfStream: (key: string, tracker: DependencyTracker) => string | null;
  /** @returns false if the response is not stored: stale, untracked or too large */
  store: (key: string, cached: CachedResponse, tracker: DependencyTracker) => boolean;
  resize: (key: string, cached: CachedResponse) => void;
  size: () => CacheSize;
};
