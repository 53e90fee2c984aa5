import type { Tag } from "../domain/ports.ts";
import type { Encoding } from "../http/compression.ts";
import type { CacheSize } from "../http/metrics.ts";

/** A finished answer: what is sent again, byte for byte. */
export type CachedResponse = {
  headers: Record<string, string>;
  body: Buffer;
  /** The same, compressed, as soon as that is done. */
  compressed: Partial<Record<Encoding, Buffer>>;
  /** The heads of each form, made when they are first sent again. */
  heads: Partial<Record<Encoding | "plain", string[]>>;
  /** The pattern of the route that made it, for the log. */
  route: string;
};

/** One answer while it is being made: what it was read from, and what changed meanwhile. */
export type DependencyTracker = {
  tags: Set<Tag>;
  invalidations: Set<Tag>;
  /** Whether all of it came from reads that say what they read. */
  isTraceable: boolean;
  /** The pattern of the route that makes it. */
  route: string;
  /** When it began, by `performance.now()`. */
  since: number;
};

/** Finished answers, each kept until something that it was read from changes. */
export type ResponseCache = {
  find: (key: string) => CachedResponse | undefined;
  /** Every reading that begins has to end, whatever became of it. */
  begin: () => DependencyTracker;
  end: (reading: DependencyTracker) => void;
  /** @returns whether it was: not if any of it may be old already */
  store: (key: string, answer: CachedResponse, reading: DependencyTracker) => boolean;
  size: () => CacheSize;
};
