import type { Db, Likes, Locks, Mail, Markdown, MediaStore, Queries, Tag, Writes } from "./ports.ts";

export type WriteLimits = {
  posts: number;
  comments: number;
  likes: number;
  profiles: number;
  drafts: number;
};

/** The authenticated account. `signedInAt` is the time its session was created. */
export type Viewer = { id: string; isAdmin: boolean; sessionId: string; signedInAt: Date };

/**
 * The request context: the transport creates one per request, and domain functions get everything from it.
 * `session` is "ended" for a token that is unknown, expired or revoked.
 */
export type Ctx = {
  db: Db;
  /** Prepared statements for public pages: faster than `db`, and their results can be cached. */
  queries: Queries;
  likes: Likes;
  locks: Locks;
  writes: Writes;
  /** Invalidates cached responses. Call it after the commit and before the response. */
  invalidate: (...tags: Tag[]) => void;
  media: MediaStore;
  markdown: Markdown;
  mail: Mail;
  viewer: Viewer | null;
  session: "none" | "active" | "ended";
  now: () => Date;
  /** The client's IPv4 address or IPv6 /64 network: the key of rate limits. */
  origin: string;
  /** Whether the request comes from this machine and through no proxy. */
  isLocal: () => boolean;
  userAgent: string | null;
  requestId: string;
  securityLog: (line: object) => void;
  writeLimits: WriteLimits;
  /** False only in local load tests. */
  rateLimitsEnabled: boolean;
};

export type Services = Pick<
  Ctx,
  | "db"
  | "queries"
  | "likes"
  | "locks"
  | "writes"
  | "invalidate"
  | "media"
  | "markdown"
  | "mail"
  | "now"
  | "rateLimitsEnabled"
  | "writeLimits"
  | "securityLog"
>;
