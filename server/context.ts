import type { Tag } from "./changes.ts";
import type { Db } from "./data/client.ts";
import type { Prisma } from "./generated/prisma/client.ts";
import type { MediaStore } from "./media/store.ts";
import type { PostWith, Reads, Wanted } from "./reads.ts";

/** How often an account may write in ten minutes. */
export type WriteLimits = { posts: number; comments: number; likes: number; profiles: number };

/** The account behind a request. */
/** `signedInAt` is when its session began. */
export type Viewer = { id: string; isAdmin: boolean; sessionId: string; signedInAt: Date };

/** A database or a transaction on it. */
export type Tx = Prisma.TransactionClient;

/** Every letter the blog writes, and what each needs to know. `link` is a path below the site's address. */
export type LetterData = {
  verify: { username: string; link: string; at: Date; userAgent: string | null };
  newSignIn: { username: string; at: Date; userAgent: string | null };
  reset: { username: string; link: string };
  accountExists: { username: string };
  passwordChanged: { username: string };
  accountDeleted: { username: string };
};

export type Mail = {
  /** Whether letters stay in an outbox of ours instead of travelling. */
  staysHere: boolean;
  /** Writes a letter in the transaction of the deed it tells of; it is delivered once that is committed. */
  write: <Kind extends keyof LetterData>(
    tx: Tx,
    kind: Kind,
    recipient: string,
    data: LetterData[Kind],
  ) => Promise<void>;
};

/** Renders Markdown to HTML of an allow-list. */
export type Markdown = {
  /** Of the renderer; stored with what it made. */
  version: number;
  /**
   * @param owner at most one text of each is rendered or waits
   * @returns null when the owner has another text in the queue, or the queue is full
   */
  render: (text: string, owner: string) => Promise<string | null>;
  /** The text as escaped paragraphs, for as long as it is not rendered. */
  toPlain: (text: string) => string;
};

type Like = <W extends Wanted>(postId: string, userId: string, wanted: W) => Promise<PostWith<W> | null>;

/**
 * Likes and takes likes back, harmlessly where that is done already. Both give the post, null where there is none;
 * its likers and their count are as they were before.
 */
export type Likes = { add: Like; remove: Like };

/**
 * Everything a domain function may use. A transport makes one per request.
 * `session` says why there is no viewer: nobody signed in, or a token that no longer counts.
 */
export type Ctx = {
  db: Db;
  /** What public pages are made of: quicker than asking `db`, and what is read by them can be kept. */
  reads: Reads;
  likes: Likes;
  /** Says what a write touched, once it is committed and before anybody is answered. */
  changed: (...tags: Tag[]) => void;
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
  /** Writes what happens to accounts into the log (domain/security-events.ts). */
  securityLog: (line: object) => void;
  writeLimits: WriteLimits;
  /** Off only for load tests on one's own machine. */
  throttled: boolean;
};

/** What all requests share. */
export type Parts = Pick<
  Ctx,
  | "db"
  | "reads"
  | "likes"
  | "changed"
  | "media"
  | "markdown"
  | "mail"
  | "now"
  | "throttled"
  | "writeLimits"
  | "securityLog"
>;
