import { availableParallelism } from "node:os";

/** What a request may weigh, in bytes and pixels. Lengths of single fields stand with the verbs of the domain. */
export const BODY_BYTES = 100 * 1024;
/** Of an account: 50 000 characters of any script, also where each is escaped. */
export const TEXT_BODY_BYTES = 400 * 1024;
export const PICTURE_BYTES = 10 * 1024 * 1024;
export const PICTURE_PIXELS = 50_000_000;
/** AVIF takes ten times the time of others to decode, and the most memory. */
export const AVIF_PIXELS = 16_000_000;
/** No picture is wider as AVIF: that takes 200 MB more while it is made, and saves the least. */
export const AVIF_WIDTH = 960;

/** How often an account may write in ten minutes; WRITE_LIMITS sets others for the first three. */
export const WRITE_LIMITS = { posts: 30, comments: 300, likes: 600, profiles: 300 };

/** Writes of one account that are under way: others wait before they take a connection. */
export const WRITES_PER_ACCOUNT = { concurrency: 2, maxQueued: 200, timeoutMs: 30_000 };

/** Bodies beyond BODY_BYTES of one account that are on their way. */
export const LARGE_BODIES_PER_ACCOUNT = 8;

/** Sign-ins with one address that are looked at; `perKey` is what one origin has of them. */
export const SIGN_INS_PER_ADDRESS = {
  ...{ concurrency: 1, maxQueued: 200, timeoutMs: 15_000 },
  perKey: { concurrency: 1, maxQueued: 20 },
};

/** Bodies with a picture that are received at the same time; others of the account or origin wait, unread. */
export const UPLOADS = { perAccount: 3, perOrigin: 8, maxQueued: 30, timeoutMs: 8_000 };

/** Passwords of one network (an IPv4 address, an IPv6 /48) that are hashed at a time: others find room in the line. */
export const HASHES_PER_NETWORK = { concurrency: 4, maxQueued: 400, timeoutMs: 15_000 };

/** Of the pictures, those of one account: each takes its turn in the line for encoding once. */
export const PICTURES_PER_ACCOUNT = { concurrency: 1, maxQueued: 20, timeoutMs: 30_000 };

export type QueueLimits = {
  /** How many work at a time. */
  concurrency: number;
  /** How many may wait; one more is refused at once. */
  maxQueued: number;
  /** Milliseconds one may wait before being refused. */
  timeoutMs: number;
  /** How many of them may be of one key: an origin, where nothing else is said. */
  perKey?: { concurrency: number; maxQueued: number };
};

/**
 * A bulkhead for each kind of work that is dear in time, memory or connections (docs/limits.md). `perKey` is what one
 * origin may have of it.
 */
export const BULKHEADS = {
  /** Searches, and lists in an order that no index has; each takes a database connection. */
  search: { concurrency: 2, maxQueued: 50, timeoutMs: 2_000, perKey: { concurrency: 1, maxQueued: 20 } },
  /** Whole lists by REST; a place is held until the last byte is sent. */
  streams: { concurrency: 4, maxQueued: 100, timeoutMs: 10_000, perKey: { concurrency: 2, maxQueued: 20 } },
  /** Bodies with a picture that are being received: over all accounts. */
  uploads: { concurrency: 12, maxQueued: 100, timeoutMs: 30_000, perKey: { concurrency: 8, maxQueued: 30 } },
  /** Pictures that are decoded and encoded, one at a time: decoded they are large. */
  encoding: { concurrency: 1, maxQueued: 100, timeoutMs: 60_000, perKey: { concurrency: 1, maxQueued: 20 } },
  /** Argon2: each takes 19 MiB and a core. */
  hashing: { concurrency: 2 * availableParallelism(), maxQueued: 400, timeoutMs: 5_000 },
  /** Markdown, in a thread. */
  rendering: { concurrency: 1, maxQueued: 100, timeoutMs: 30_000 },
  /** GraphQL documents that are parsed and validated: nothing else runs meanwhile. */
  documents: { concurrency: 1, maxQueued: 200, timeoutMs: 5_000, perKey: { concurrency: 1, maxQueued: 100 } },
  /** GraphQL operations that cost much, or read many whole texts of posts. */
  operations: { concurrency: 2, maxQueued: 50, timeoutMs: 5_000, perKey: { concurrency: 1, maxQueued: 20 } },
  /** Pages; nothing else runs in the process while one is rendered. */
  pages: { concurrency: 2, maxQueued: 200, timeoutMs: 2_000, perKey: { concurrency: 2, maxQueued: 50 } },
} satisfies Record<string, QueueLimits>;

export type Bulkhead = keyof typeof BULKHEADS;

/** How long callers may take, in milliseconds, and how many of them are served at a time. */
export const LIMITS = {
  /** The head of a request, from the first byte of its connection. */
  head: 10_000,
  body: 20_000,
  upload: 10 * 60_000,
  /** An upload's bytes per second, once it had time to begin. */
  uploadRate: 8 * 1024,
  uploadStart: 10_000,
  /** While others wait for a place, an origin with several uploads loses the slowest, beginning here. */
  uploadShare: 5_000,
  /** An answer of which nothing is taken: it is cut after so long, and a second more for so many bytes. */
  unread: 30_000,
  unreadRate: 16 * 1024,
  /** Of all answers together, beyond which those that wait longest are cut. */
  unreadBytes: 64 * 1024 * 1024,
  unreadSweep: 1_000,
  /** A streamed list's bytes per second, while others wait for its place. */
  streamRate: 64 * 1024,
  /** How often all of that is looked after. */
  sweep: 5_000,
  /** What is still thrown away of a body that was refused, before the line is cut. */
  discard: 1_000,
  discardBytes: 8 * 1024 * 1024,
  /** How many calls may be under way: as many as are answered in `wait`, where that is known, within bounds. */
  wait: 2_000,
  inFlightAtFirst: 250,
  inFlightAtLeast: 100,
  inFlightAtMost: 500,
  /** How many more are told so in a second; the next ones wait for their turn. */
  refusals: 500,
};

export type Limits = typeof LIMITS;
