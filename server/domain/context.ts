import type { Db, Likes, Locks, Mail, Markdown, MediaStore, Queries, Tag, Writes } from "./ports.ts";

/** How often an account may write in ten minutes. */
export type WriteLimits = { posts: number; comments: number; likes: number; profiles: number };

/** The account behind a request. */
/** `signedInAt` is when its session began. */
export type Viewer = { id: string; isAdmin: boolean; sessionId: string; signedInAt: Date };

/**
 * Everything a domain function may use. A transport makes one per request.
 * `session` says why there is no viewer: nobody signed in, or a token that no longer counts.
 */
export type Ctx = {
  db: Db;
  /** What public pages are made of: quicker than asking `db`, and what is read by them can be kept. */
  queries: Queries;
  likes: Likes;
  locks: Locks;
  writes: Writes;
  /** Says what a write touched, once it is committed and before anybody is answered. */
  invalidate: (...tags: Tag[]) => void;
  media: MediaStore;
  markdown: Markdown;
  mail: Mail;
  viewer: Viewer | null;
  session: "none" | "active" | "ended";
  now: () => Date;
  /** The address or /64 network the request came from: what throttles count by. */
  origin: string;
  /** Whether the request was made on this machine, through no proxy. */
  isLocal: () => boolean;
  /** How the browser calls itself, for the list of one's sessions. */
  userAgent: string | null;
  /** Under which the request stands in the log. */
  requestId: string;
  /** Writes what happens to accounts into the log (domain/accounts/security-events.ts). */
  securityLog: (line: object) => void;
  writeLimits: WriteLimits;
  /** Off only for load tests on one's own machine. */
  rateLimitsEnabled: boolean;
};

/** What all requests share. */
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
