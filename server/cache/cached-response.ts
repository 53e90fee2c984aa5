import type { CacheTag } from "../domain/ports.ts";
import type { Encoding } from "../http/compression.ts";
import type { CacheSize } from "../http/metrics.ts";

/** A complete response, sent again byte for byte. */
export type CachedResponse = {
  headers: Record<string, string>;
  body: Buffer;
  compressed: Partial<Record<Encoding, Buffer>>;
  /** Headers of each form, built on first use. */
  heads: Partial<Record<Encoding | "plain", string[]>>;
  /** The route's pattern, for the log. */
  route: string;
};

/** Records the dependencies of a response while it is built, and their invalidations meanwhile. */
export type DependencyTracker = {
  tags: Set<CacheTag>;
  invalidations: Set<CacheTag>;
  /** False for a write, and once anything was read that tags cannot name. */
  isTraceable: boolean;
  route: string;
  /** By `performance.now()`. */
  since: number;
};

/** Complete responses, each cached until something it depends on changes. */
export type ResponseCache = {
  find: (key: string) => CachedResponse | undefined;
  /** Every tracker has to be ended, whatever the outcome. */
  begin: () => DependencyTracker;
  end: (reading: DependencyTracker) => void;
  /** @returns false if the response is not stored: stale, untracked or too large */
  store: (key: string, answer: CachedResponse, reading: DependencyTracker) => boolean;
  size: () => CacheSize;
};
