import type { Db, Likes, Locks, Mail, Markdown, MediaStore, Queries, CacheTag, Writes } from "./ports.ts";

export type WriteLimits = {
  posts: number;
  comments: number;
  likes: number;
  postDeletions: number;
  commentDeletions: number;
  profiles: number;
  drafts: number;
  bookmarks: number;
  follows: number;
};

/** The authenticated account. `signedInAt` is the time its session was created. */
export type Viewer = {
  id: string;
  isAdmin: boolean;
  sessionId: string;
  signedInAt: Date;
  /** When the request's session was looked up, in milliseconds of `performance.now()`. */
  authenticatedAt: number;
};

export type Quota = { name: string; limit: number; window: number; remaining: number; resetsAt: Date };

/** For responses: `window`, and `reset`, the time until the next window, in whole seconds. */
export type RateLimitState = {
  policy: string;
  limit: number;
  window: number;
  remaining: number;
  reset: number;
};

/**
 * The context of reads; the transport creates one per request, and domain functions get everything from it. It has no
 * database but `queries`, which declare the dependencies of a cached response, and no clock, on which nothing can be declared to
 * depend. `session` is "ended" for a token that is unknown, expired or revoked.
 */
export type ReadCtx = {
  /** Prepared statements for public pages: faster than `db`, and their results can be cached. */
  queries: Queries;
  media: MediaStore;
  markdown: Markdown;
  mail: Mail;
  /** The address of the site, without a slash at its end. */
  siteUrl: string;
  viewer: Viewer | null;
  session: "none" | "active" | "ended";
  /** The client's IPv4 address or IPv6 /64 network: the key of rate limits. */
  origin: string;
  requestId: string;
};

/** The context of writes. Their responses are never cached. */
export type Ctx = ReadCtx & {
  /** Of a request: waits for the turn of its network. `unqueuedDb` is for work that holds a permit, or follows the response. */
  db: Db;
  unqueuedDb: Db;
  likes: Likes;
  locks: Locks;
  writes: Writes;
  /** Invalidates cached responses. Call it after the commit and before the response. */
  invalidate: (...tags: CacheTag[]) => void;
  /** @throws INSUFFICIENT_STORAGE */
  requireDiskSpace: () => Promise<void>;
  now: () => Date;
  /** Whether the request comes from this machine and through no proxy. */
  isLocal: () => boolean;
  /** Whether a page of another site has made the browser send the request. */
  isCrossSite: boolean;
  userAgent: string | null;
  /** The header `Idempotency-Key` as it was sent. */
  idempotencyKey: string | null;
  securityLog: (line: object) => void;
  writeLimits: WriteLimits;
  /** The rate limits that the request has been counted for, by their key. */
  quotas: Map<string, Quota>;
  /** False only in local load tests. */
  rateLimitsEnabled: boolean;
};

/** The declared effect of an operation decides which context it gets. */
export type Effect = "read" | "write";

/** An authenticated request, before its operation is known. */
export type Contexts = Pick<ReadCtx, "viewer" | "session" | "origin"> & {
  read: () => ReadCtx;
  write: () => Ctx;
};

export type Services = Pick<
  Ctx,
  | "db"
  | "unqueuedDb"
  | "queries"
  | "likes"
  | "locks"
  | "writes"
  | "invalidate"
  | "media"
  | "markdown"
  | "mail"
  | "siteUrl"
  | "requireDiskSpace"
  | "now"
  | "rateLimitsEnabled"
  | "writeLimits"
  | "securityLog"
>;

type NextStatement = (network: string) => Promise<void>;

/** Of requests: `dbOf` waits for the turn of an origin's network before it takes a connection, then for the event loop. */
export type RequestServices = Services & { dbOf: (origin: string, nextStatement?: NextStatement) => Db };

/** For work with a permit that others wait for: a flood from its network would make it hold the permit for seconds. */
export const withUnqueuedDb = (ctx: Ctx): Ctx => ({ ...ctx, db: ctx.unqueuedDb });
