import { availableParallelism } from "node:os";

/** Request size limits in bytes and pixels. */
export const BODY_BYTES = 100 * 1024;
/** For signed-in accounts: 50 000 characters of any script, even if every one is escaped. */
export const TEXT_BODY_BYTES = 400 * 1024;
/** Target size of PostgreSQL's write-ahead log, which has been a third larger under load, and size of its segments. */
export const [WAL_BYTES, WAL_SEGMENT_BYTES] = [192 * 1024 * 1024, 16 * 1024 * 1024];
export const PICTURE_BYTES = 10 * 1024 * 1024;
/** Maximum size of a stored picture file; those of the encoder are smaller. */
export const PICTURE_FILE_BYTES = 16 * 1024 * 1024;
export const PICTURE_PIXELS = 50_000_000;
/** Decoding AVIF takes ten times as long as other formats, and the most memory. */
export const AVIF_PIXELS = 16_000_000;
/** Widest WebP file that an upload waits for; a job makes the others. */
export const FIRST_WIDTH = 480;
/** A JPEG for feeds, emails and clients without WebP. */
export const JPEG_WIDTH = 1200;
/** Widest AVIF file: a wider one takes 200 MB more to encode, and saves the least. */
export const AVIF_WIDTH = 960;

/** Characters of each text, from and to. The client has the same limits in `client/config/limits.ts`. */
export const LENGTHS = {
  username: [2, 100],
  email: [5, 100],
  password: [8, 128],
  bio: [0, 1_000],
  title: [2, 200],
  description: [10, 50_000],
  category: [1, 100],
  tag: [1, 40],
  comment: [1, 2_000],
  alt: [0, 500],
  search: [0, 100],
  query: [0, 200],
} as const;

/** Words of a search on the site, filters of one kind, posts that it ranks, bytes of word vectors that it reads, results that it counts, and newest posts that it takes them from first. */
export const SEARCH = {
  ...{ words: 16, filters: 3, candidates: 2_000, bytes: 64_000_000, counted: 1_000, page: 10 },
  windows: [4_000, 12_000, 24_000, 40_000, 60_000, 100_000, 400_000],
};

/** Rows that an offset may skip before a page counts as deep: PostgreSQL reads each of them. */
export const DEEP_OFFSET = 300;

/** Writes per account in ten minutes. The variable WRITE_LIMITS overrides those of posts, comments, likes and profiles. */
export const WRITE_LIMITS = {
  posts: 30,
  comments: 300,
  likes: 600,
  postDeletions: 100,
  commentDeletions: 600,
  profiles: 300,
  drafts: 1_200,
  bookmarks: 300,
  follows: 300,
};

/** Categories of the blog. Pages show a hundred, the others on demand. */
export const MAX_CATEGORIES = 1_000;

/** Clocks of two machines differ by less: a time that is further ahead was written while a clock was wrong. */
export const CLOCK_ERROR_MS = 60_000;

/** Per post, and per draft, which keeps what was typed. */
export const [MAX_TAGS, MAX_DRAFT_TAGS] = [5, 20];

/** Per account. Follows are of authors, categories and tags; concurrent sign-ins may add some browsers more. */
export const MAX_DRAFTS = 500;
export const MAX_BOOKMARKS = 1_000;
export const MAX_FOLLOWS = 500;
export const MAX_BROWSERS = 50;

/** Concurrent writes of one account. Others wait before they take a database connection. */
export const WRITES_PER_ACCOUNT = { concurrency: 2, maxQueued: 200, timeoutMs: 30_000 };

/** Concurrent request bodies larger than BODY_BYTES, per account. */
export const LARGE_BODIES_PER_ACCOUNT = 8;

/** Concurrent sign-ins per email address. `perKey` limits one origin, whose attempts may take long if it floods the server. */
export const SIGN_INS_PER_ADDRESS = {
  ...{ concurrency: 3, maxQueued: 200, timeoutMs: 15_000 },
  perKey: { concurrency: 1, maxQueued: 20 },
};

/** Concurrent uploads. Further bodies of the account or origin wait unread. */
export const UPLOADS = { perAccount: 3, perOrigin: 8, maxQueued: 30, timeoutMs: 8_000 };

/** Concurrent requests with one Idempotency-Key: the first creates, the others wait for its response. */
export const REPEATS_PER_KEY = { concurrency: 1, maxQueued: 20, timeoutMs: 30_000 };

/** Milliseconds for which a job goes on with its batch: then other jobs run, and a stop waits for no more. */
export const JOB_TIME = 2_000;

/** Renderings of drafts and unsaved texts of one account. */
export const PREVIEWS_PER_ACCOUNT = { concurrency: 1, maxQueued: 20, timeoutMs: 10_000 };

/** An account has at most one picture in the encoding queue. */
export const PICTURES_PER_ACCOUNT = { concurrency: 1, maxQueued: 20, timeoutMs: 30_000 };

export type QueueLimits = {
  concurrency: number;
  /** Beyond this, callers are refused at once. */
  maxQueued: number;
  timeoutMs: number;
  /** Whether the time of the work is charged to HEAVY_TIME. */
  isHeavy?: boolean;
  /** Limits of one network (IPv4 address or IPv6 /48), or of another key of the caller. Without them a key may use the whole queue. */
  perKey?: { concurrency: number; maxQueued: number };
};

/** Node runs hashes in four threads. A container may get fewer cores than this. */
const CORES = Math.min(4, availableParallelism());

/** The time that each network has for all heavy work together: milliseconds at once, and a share of all time. */
export const HEAVY_TIME = { atOnce: 2_000, share: 0.2 * CORES };
/** The bytes of pictures that each network may load: at once, and a share for each millisecond. */
export const PICTURE_BUDGET = { atOnce: 64_000_000, share: 32_000 };

/** A bulkhead for each kind of work that is expensive in time, memory or connections (docs/limits.md). */
export const BULKHEADS = {
  /** Searches, and sort orders without an index; each takes a database connection. */
  search: {
    ...{ concurrency: 2, maxQueued: 50, timeoutMs: 5_000, isHeavy: true },
    perKey: { concurrency: 1, maxQueued: 20 },
  },
  /** Whole lists over REST. The permit is held until the last byte is sent. */
  streams: { concurrency: 8, maxQueued: 100, timeoutMs: 10_000, perKey: { concurrency: 2, maxQueued: 20 } },
  uploads: { concurrency: 12, maxQueued: 100, timeoutMs: 30_000, perKey: { concurrency: 8, maxQueued: 30 } },
  /** One at a time: a decoded picture takes much memory. */
  encoding: { concurrency: 1, maxQueued: 100, timeoutMs: 60_000, perKey: { concurrency: 1, maxQueued: 20 } },
  /** Pictures; from a bucket each holds a connection to it. */
  pictures: {
    concurrency: 64,
    maxQueued: 500,
    timeoutMs: 5_000,
    perKey: { concurrency: 24, maxQueued: 200 },
  },
  /** Operations of the folder of pictures: each takes one of Node's four threads, from a network disk that hangs for good. */
  files: { concurrency: 2, maxQueued: 1_000, timeoutMs: 10_000 },
  /** Pictures of link previews, made on their first request: most wait for the encoder. */
  cards: { concurrency: 4, maxQueued: 100, timeoutMs: 30_000, perKey: { concurrency: 2, maxQueued: 20 } },
  /** Argon2: each hash takes 19 MiB and a core, and a sign-in needs two. */
  hashing: {
    ...{ concurrency: CORES, maxQueued: 1_000, timeoutMs: 15_000, isHeavy: true },
    perKey: { concurrency: Math.max(1, CORES >> 1), maxQueued: 400 },
  },
  /** Checks of emailed links, which anybody may request; each takes a connection. */
  links: { concurrency: 2, maxQueued: 200, timeoutMs: 5_000, perKey: { concurrency: 1, maxQueued: 100 } },
  /** Connections of the pool of writes. DATABASE_POOL decides how many; the part of one network is the same for any number. */
  connections: {
    concurrency: 8,
    maxQueued: 1_000,
    timeoutMs: 5_000,
    perKey: { concurrency: 3, maxQueued: 400 },
  },
  rendering: {
    ...{ concurrency: 1, maxQueued: 100, timeoutMs: 30_000, isHeavy: true },
    perKey: { concurrency: 1, maxQueued: 50 },
  },
  previews: {
    ...{ concurrency: 1, maxQueued: 100, timeoutMs: 30_000, isHeavy: true },
    perKey: { concurrency: 1, maxQueued: 20 },
  },
  /** Parsing and validating GraphQL documents, which blocks the event loop. */
  documents: {
    ...{ concurrency: 1, maxQueued: 200, timeoutMs: 5_000, isHeavy: true },
    perKey: { concurrency: 1, maxQueued: 100 },
  },
  /** GraphQL operations of high cost, or that read the full texts of many posts. */
  operations: { concurrency: 2, maxQueued: 50, timeoutMs: 5_000, perKey: { concurrency: 1, maxQueued: 20 } },
  /** GraphQL operations that cost more than 5. Running ones continue in the same event-loop iteration, some milliseconds each. */
  quick_operations: {
    concurrency: 32,
    maxQueued: 500,
    timeoutMs: 5_000,
    perKey: { concurrency: 8, maxQueued: 400 },
  },
  short_operations: {
    concurrency: 16,
    maxQueued: 500,
    timeoutMs: 5_000,
    perKey: { concurrency: 3, maxQueued: 400 },
  },
  /** Texts of posts, and their deletion: each takes a connection for up to 0.3 s, and those with tags exclude each other. */
  post_writes: {
    concurrency: 3,
    maxQueued: 500,
    timeoutMs: 30_000,
    perKey: { concurrency: 1, maxQueued: 100 },
  },
  deletions: { concurrency: 1, maxQueued: 50, timeoutMs: 10_000, perKey: { concurrency: 1, maxQueued: 3 } },
  /** Queries that read full texts or comments: 1 MB each. */
  texts: { concurrency: 4, maxQueued: 500, timeoutMs: 5_000, perKey: { concurrency: 1, maxQueued: 400 } },
  /** Texts of feeds and whole lists, which hold a permit of their own, in groups of 100 kB. */
  text_groups: {
    concurrency: 8,
    maxQueued: 100,
    timeoutMs: 5_000,
    perKey: { concurrency: 1, maxQueued: 20 },
  },
  /** A post with its comments, and a profile with its posts, by REST: up to 2 MB each. */
  details: { concurrency: 16, maxQueued: 500, timeoutMs: 5_000, perKey: { concurrency: 2, maxQueued: 400 } },
  /** Server-side rendering, which blocks the event loop; held until a page reads its data. */
  pages: { concurrency: 8, maxQueued: 200, timeoutMs: 2_000, perKey: { concurrency: 1, maxQueued: 50 } },
  /** Pages of much data, which take up to 0.1 s; each permit is released as long after its page as the page took. */
  large_pages: { concurrency: 1, maxQueued: 50, timeoutMs: 2_000, perKey: { concurrency: 1, maxQueued: 20 } },
  /** Stale pages, which leave most of the event loop to others. */
  refreshes: { concurrency: 2, maxQueued: 200, timeoutMs: 250, perKey: { concurrency: 1, maxQueued: 50 } },
  /** Related posts after a change, which compare the words of hundreds of texts; a job computes those that are refused. */
  relations: { concurrency: 1, maxQueued: 500, timeoutMs: 30_000, perKey: { concurrency: 1, maxQueued: 20 } },
  feeds: {
    ...{ concurrency: 8, maxQueued: 100, timeoutMs: 5_000, isHeavy: true },
    perKey: { concurrency: 1, maxQueued: 20 },
  },
} satisfies Record<string, QueueLimits>;

export type Bulkhead = keyof typeof BULKHEADS;

/** Timeouts in milliseconds, transfer rates in bytes per second, and limits of concurrent requests. */
export const LIMITS = {
  /** Request headers, from the first byte of the connection. */
  head: 10_000,
  body: 20_000,
  /** Requests of one network whose bodies have not arrived. */
  unfinishedBodies: 64,
  upload: 10 * 60_000,
  /** Minimum rate of an upload, checked after `uploadStart`. */
  uploadRate: 8 * 1024,
  uploadStart: 10_000,
  /** While uploads are queued, an origin with several loses its slowest after this time. */
  uploadShare: 5_000,
  /** A response that its client does not read is aborted after `unread`, plus a second per `unreadRate` bytes. */
  unread: 30_000,
  unreadRate: 16 * 1024,
  /** Unread bytes of all responses together, beyond which the slowest are aborted. */
  unreadBytes: 64 * 1024 * 1024,
  unreadSweep: 1_000,
  /** Minimum rate of a streamed list while others are queued. */
  streamRate: 64 * 1024,
  /** Interval of these checks. */
  sweep: 5_000,
  /** Time and bytes for which a refused body is still read before the connection is closed. */
  discard: 1_000,
  discardBytes: 8 * 1024 * 1024,
  /** New connections of a network, unless it may be a proxy's: at once, and for each millisecond. The process accepts some 3 500 a second. */
  newConnections: { atOnce: 300, share: 0.1 },
  /** A reader who would wait longer gets a page that is stale for at most so long. */
  stale: { after: 250, most: 60_000 },
  /** Requests in flight: as many as the measured rate answers within `wait`, between the bounds. */
  wait: 2_000,
  inFlightAtFirst: 250,
  inFlightAtLeast: 100,
  inFlightAtMost: 500,
  /** Refusals per second (503, and 429 of held connections), and how many of the others are delayed at most. */
  refusals: 200,
  delayedRefusals: 1_000,
};

export type Limits = typeof LIMITS;
