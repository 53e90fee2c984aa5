import type { Prisma, PrismaClient } from "../generated/prisma/client.ts";
import type {
  Category,
  Comment,
  ComputedField,
  ComputedFields,
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

export type ListName = "posts" | "comments" | "categories" | "users" | "emails";

/** `key` is the text as names are compared (`nameKey`). */
export type NameSearch = { text: string; key: string };
/** Each word begins a word of the title or text; each literal stands there exactly. */
export type FullTextSearch = { words: string[]; literals: string[] };

export type ListSelection =
  | { list: "posts"; filter: PostFilter; search: FullTextSearch | null }
  | { list: "comments" | "categories" | "users"; search: NameSearch | null }
  | { list: "emails" };

/** `field` is a name that callers know (`author`); rows with equal values are in the order of their ids. */
export type ListOrder = { field: string; direction: "asc" | "desc" };
export type ListSlice = { cursor: Key | null; take: number; skip: number };

export type NewRows = { noun: "users" | "posts" | "categories" | "comments"; day: string; count: number };

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
  /** A computed field of each of these posts. */
  computed: <Field extends ComputedField>(
    field: Field,
    postIds: readonly string[],
  ) => Promise<Map<string, ComputedFields[Field]>>;
  /** The same slice of each post's comments. */
  comments: (postIds: readonly string[], slice: Slice) => Promise<Comment[]>;
  /** Whose token this is. */
  session: (tokenHash: Buffer) => Promise<KnownSession | null>;
  /** The keys of a list in its order; all of them without a slice. Reads far more rows than it returns. */
  listKeys: (selection: ListSelection, order: ListOrder, slice: ListSlice | null) => Promise<Key[]>;
  countList: (selection: ListSelection) => Promise<number>;
  /** New rows by day (`2026-11-21`, UTC) and noun, since a moment. */
  dailyCounts: (since: Date) => Promise<NewRows[]>;
  /** Posts whose HTML is missing or of an older renderer. */
  outdatedHtml: (version: number, take: number) => Promise<{ id: string; description: string }[]>;
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

/** Row locks, held until the transaction ends. `keep…` locks against deletion and change, `lock…` for a change. */
export type Locks = {
  /** The account cannot be deleted meanwhile. */
  keepAccount: (tx: Tx, id: string) => Prisma.PrismaPromise<number>;
  /** @returns false without such an account */
  lockAccount: (tx: Tx, id: string) => Promise<boolean>;
  lockAccountWithPhoto: (tx: Tx, id: string) => Promise<{ photoId: string | null } | null>;
  /** @returns the ids of all admins */
  lockAdmins: (tx: Tx) => Promise<string[]>;
  keepPasswordHash: (tx: Tx, id: string) => Promise<string | null>;
  lockPostWithImage: (tx: Tx, id: string) => Promise<{ imageId: string } | null>;
  /** An advisory lock on a text. */
  lockKey: (tx: Tx, key: string) => Promise<void>;
};

type Window = { key: string; count: number; now: Date; resetsAt: Date };

/** Writes that Prisma cannot express. */
export type Writes = {
  /** Adds to the counter of a key, which begins anew when its window has ended. */
  countInWindow: (window: Window) => Promise<{ hits: number; resetsAt: Date }>;
  /** Stores the HTML of a post unless its text has changed. */
  storeHtml: (html: { postId: string; description: string; html: string; version: number }) => Promise<void>;
  /** @param keys by account id */
  setConfusableKeys: (keys: ReadonlyMap<string, string>) => Promise<void>;
};
