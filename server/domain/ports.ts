import type { Prisma, PrismaClient } from "../generated/prisma/client.ts";
import type {
  Category,
  Comment,
  Key,
  PostFilter,
  PostPayload,
  Profile,
  Slice,
  PostSelection,
} from "./post-selection.ts";

// What the domain needs and does not own: adapters in data, media, mail and markdown implement these types.

export type Db = PrismaClient;

/** A database or a transaction on it. */
export type Tx = Prisma.TransactionClient;

/**
 * What a write touched: `post:ID` for a post, its likes and comments; `user:ID` for an account's public face;
 * `posts` for which posts there are, and where; `categories`; `*` for anything.
 */
export type Tag = `post:${string}` | `user:${string}` | "posts" | "categories" | "*";

export type Invalidations = {
  /** Tells this process of a write of its own, before anybody is answered; the database tells the others. */
  publish: (tags: readonly Tag[]) => void;
  /** Calls back for each write of any process. */
  onChange: (listener: (tags: readonly Tag[]) => void) => void;
  /** False while writes of others cannot be heard of: nothing may be kept then. */
  isListening: () => boolean;
  close: () => Promise<void>;
};

export type KnownSession = Key & { lastSeenAt: Date; userId: string; isAdmin: boolean };

/** The hot questions: one prepared statement each. Everything else asks the database through Prisma. */
export type Queries = {
  posts: <W extends PostSelection>(filter: PostFilter, slice: Slice, wanted: W) => Promise<PostPayload<W>[]>;
  /** Newest first. */
  postsById: <W extends PostSelection>(ids: readonly string[], wanted: W) => Promise<PostPayload<W>[]>;
  /** The same slice of each author's posts. */
  postsOf: <W extends PostSelection>(
    authorIds: readonly string[],
    slice: Slice,
    wanted: W,
  ) => Promise<PostPayload<W>[]>;
  countPosts: (filter: PostFilter) => Promise<number>;
  countPostsIn: (categories: readonly string[]) => Promise<Map<string, number>>;
  countPostsOf: (authorIds: readonly string[]) => Promise<Map<string, number>>;
  profiles: (ids: readonly string[]) => Promise<Map<string, Profile>>;
  categories: () => Promise<Category[]>;
  /** The rendered texts of those of these posts that have one. */
  postHtml: (postIds: readonly string[]) => Promise<Map<string, string>>;
  likers: (postIds: readonly string[]) => Promise<Map<string, string[]>>;
  likeCounts: (postIds: readonly string[]) => Promise<Map<string, number>>;
  /** The same slice of each post's comments. */
  comments: (postIds: readonly string[], slice: Slice) => Promise<Comment[]>;
  commentCounts: (postIds: readonly string[]) => Promise<Map<string, number>>;
  /** Whose token this is. */
  session: (tokenHash: Buffer) => Promise<KnownSession | null>;
  /** Which of these posts the user likes. */
  likedBy: (userId: string, postIds: readonly string[]) => Promise<Set<string>>;
};

/** Every letter the blog writes, and what each needs to know. `link` is a path below the site's address. */
export type EmailData = {
  verify: { username: string; link: string; at: Date; userAgent: string | null };
  newSignIn: { username: string; at: Date; userAgent: string | null };
  reset: { username: string; link: string };
  accountExists: { username: string };
  passwordChanged: { username: string };
  accountDeleted: { username: string };
};

export type Mail = {
  /** Whether letters stay in an outbox of ours instead of travelling. */
  isLocalOutbox: boolean;
  /** Writes a letter in the transaction of the deed it tells of; it is delivered once that is committed. */
  write: <Kind extends keyof EmailData>(
    tx: Tx,
    kind: Kind,
    recipient: string,
    data: EmailData[Kind],
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

type Like = <W extends PostSelection>(
  postId: string,
  userId: string,
  wanted: W,
) => Promise<PostPayload<W> | null>;

/**
 * Likes and takes likes back, harmlessly where that is done already. Both give the post, null where there is none;
 * its likers and their count are as they were before.
 */
export type Likes = { add: Like; remove: Like };

/** A picture as it was stored: sizes in pixels, `placeholder` a data URL. */
export type StoredPicture = {
  id: string;
  width: number;
  height: number;
  widths: number[];
  placeholder: string;
};

export type MediaStore = {
  /**
   * Re-encodes and keeps a picture under a random id.
   * @param origin whose turn it is
   * @throws what encodePicture throws, INSUFFICIENT_STORAGE
   */
  save: (bytes: Buffer, origin?: string) => Promise<StoredPicture>;
  /** Lays AVIF files beside the WebP files of a kept picture, up to AVIF_WIDTH. @throws INSUFFICIENT_STORAGE, and where those are gone */
  addAvif: (id: string, widths: readonly number[]) => Promise<void>;
  /** The address of one of a picture's files: `480.webp`, `picture.jpg`. */
  urlOf: (id: string, file: string) => string;
  /** The picture of whoever has chosen none. */
  defaultPhotoUrl: string;
  /** Removes a picture's files; harmless when there are none. */
  remove: (id: string) => Promise<void>;
  /**
   * Removes what no row knows and is older than an hour; nothing where that is most of the folder, which then
   * belongs to another database.
   * @returns how many pictures went, and how many were kept for that reason
   */
  sweep: (areKnown: (ids: string[]) => Promise<Set<string>>) => Promise<Swept>;
};

export type Swept = { removed: number; kept: number };
