import type { OwnStore } from "./media-store.ts";
import type { Prisma, PrismaClient } from "../generated/prisma/client.ts";
import type {
  DraftModel,
  EmailModel,
  LikeModel,
  RevisionModel,
  SessionModel,
  UploadModel,
} from "../generated/prisma/models.ts";
import type {
  Category,
  Comment,
  ComputedField,
  ComputedFields,
  DailyCount,
  Deletion,
  RowKey,
  ListKey,
  ListOrder,
  ListSelection,
  ListSlice,
  NodeType,
  Picture,
  Neighbours,
  PostFilter,
  PostPayload,
  Profile,
  Slice,
  PostSelection,
  SyncedList,
  Tag,
  SearchResultKeys,
  SearchablePost,
  SearchQuery,
} from "./post-selection.ts";

export type OutdatedPost = { id: string; description: string; userId: string; version: number };

// The ports of the domain. The adapters are in data, media, mail and markdown.
export type {
  MediaStore,
  OpenPicture,
  OwnStore,
  PictureRequest,
  PictureResponse,
  SweepResult,
} from "./media-store.ts";

export type Db = PrismaClient;
export type Tx = Prisma.TransactionClient;

/**
 * post: likes and comments; content: title, category, picture; html: rendered text; comments; user: profile; byline: name and photo;
 * author: an author's list; posts: lists. text and deleted are only published, for html. Each invalidates responses that depend on `*`.
 */
export type CacheTag = `${TagKind}:${string}` | "posts" | "categories" | "*";
type TagKind = "post" | "content" | "text" | "html" | "comments" | "deleted" | "user" | "byline" | "author";

export type Invalidations = {
  /** Invalidates in this process, before the response; database notifications reach the other processes. */
  publish: (tags: readonly CacheTag[]) => void;
  onChange: (listener: (tags: readonly CacheTag[]) => void) => void;
  /** False while notifications cannot arrive. Nothing may be cached then. */
  isListening: () => boolean;
  close: () => Promise<void>;
};

export type SessionRow = RowKey & { lastSeenAt: Date; userId: string; isAdmin: boolean };

export type Session = Omit<SessionModel, "tokenHash">;

/** Milliseconds since the last request, and since the sign-in. */
export type SessionLimits = { idle: number; age: number; take: number };

/** A picture that an account has uploaded for its texts. */
export type Upload = UploadModel & { picture: Picture };

/** All reads of `ReadCtx`, the frequent ones mostly one prepared statement each. Those that depend on time have a clock. */
export type Queries = {
  posts: <W extends PostSelection>(
    filter: PostFilter,
    slice: Slice,
    selection: W,
  ) => Promise<PostPayload<W>[]>;
  /** Newest first. */
  postsById: <W extends PostSelection>(ids: readonly string[], selection: W) => Promise<PostPayload<W>[]>;
  postsOf: <W extends PostSelection>(
    authorIds: readonly string[],
    slice: Slice,
    selection: W,
  ) => Promise<PostPayload<W>[]>;
  postsIn: <W extends PostSelection>(
    categories: readonly string[],
    slice: Slice,
    selection: W,
  ) => Promise<PostPayload<W>[]>;
  countPosts: (filter: PostFilter) => Promise<number>;
  /** Newest first. */
  postTimes: (skip: number, take: number) => Promise<{ id: string; updatedAt: Date }[]>;
  textBytes: (postIds: readonly string[]) => Promise<Map<string, number>>;
  countPostsIn: (categories: readonly string[]) => Promise<Map<string, number>>;
  countPostsOf: (authorIds: readonly string[]) => Promise<Map<string, number>>;
  profiles: (ids: readonly string[]) => Promise<Map<string, Profile>>;
  categories: () => Promise<Category[]>;
  categoriesById: (ids: readonly string[]) => Promise<Category[]>;
  /** The most similar first. */
  relatedIds: (postIds: readonly string[], take: number) => Promise<Map<string, string[]>>;
  neighbourIds: (postIds: readonly string[]) => Promise<Map<string, Neighbours>>;
  /** Only of tags that some post carries. */
  tagByKey: (key: string) => Promise<Tag | null>;
  tagsById: (ids: readonly string[]) => Promise<Tag[]>;
  tagNames: (take: number) => Promise<string[]>;
  countPostsWithTags: (tagIds: readonly string[]) => Promise<Map<string, number>>;
  /** The HTML by post id, without posts that are not rendered yet. @param check gets the bytes of all, before most are read */
  postHtml: (postIds: readonly string[], check: (bytes: number) => void) => Promise<Map<string, string>>;
  computed: <Field extends ComputedField>(
    field: Field,
    postIds: readonly string[],
  ) => Promise<Map<string, ComputedFields[Field]>>;
  comments: (postIds: readonly string[], slice: Slice) => Promise<Comment[]>;
  commentsById: (ids: readonly string[]) => Promise<Comment[]>;
  /** Newest first. Without texts their descriptions are absent. */
  revisions: (postIds: readonly string[], slice: Slice, withTexts: boolean) => Promise<RevisionModel[]>;
  countRevisions: (postIds: readonly string[]) => Promise<Map<string, number>>;
  session: (tokenHash: Buffer) => Promise<SessionRow | null>;
  /** Most recently used first. */
  activeSessions: (userId: string, limits: SessionLimits) => Promise<Session[]>;
  /** Whether the account has this token for a new password, neither used nor expired. */
  hasResetToken: (userId: string, tokenHash: Buffer<ArrayBuffer>) => Promise<boolean>;
  emailsById: (ids: readonly string[]) => Promise<EmailModel[]>;
  draft: (userId: string, id: string) => Promise<DraftModel | null>;
  /** Without texts their descriptions are absent. */
  drafts: (userId: string, slice: Slice, withTexts: boolean) => Promise<DraftModel[]>;
  /** The draft of a preview link. */
  preview: (token: string) => Promise<DraftModel | null>;
  /** The tokens of preview links by the id of their draft. */
  previewTokens: (draftIds: readonly string[]) => Promise<Map<string, string>>;
  countDrafts: (userId: string) => Promise<number>;
  /** Pictures for texts and covers, by the id of their file. */
  uploads: (pictureIds: readonly string[]) => Promise<Map<string, Upload>>;
  /** The sorted keys of a list; all of them for a null slice. Reads far more rows than it returns. */
  listKeys: (selection: ListSelection, order: ListOrder, slice: ListSlice | null) => Promise<ListKey[]>;
  countList: (selection: ListSelection) => Promise<number>;
  search: (query: SearchQuery, slice: { skip: number; take: number }) => Promise<SearchResultKeys>;
  /** Posts that are still to be indexed, newest first, of about so many bytes of text; with an id only that one. */
  unindexedPosts: (limit: { posts: number; bytes: number }, id?: string) => Promise<SearchablePost[]>;
  /** One entry for each of the last days, today last. */
  dailyCounts: (days: number) => Promise<DailyCount[]>;
  /** Drafts whose time has come. Accounts take turns; of two processes few meet at the same draft. */
  dueDrafts: (now: Date, take: number) => Promise<DraftModel[]>;
  /** Posts without HTML, one of each author at a time, beginning after `author`; posts whose HTML is older than `version`. */
  unrenderedPosts: (take: number, author: string | null) => Promise<OutdatedPost[]>;
  outdatedHtml: (version: number, take: number, after: OutdatedPost | null) => Promise<OutdatedPost[]>;
  likedBy: (userId: string, postIds: readonly string[]) => Promise<Set<string>>;
  likes: (postIds: readonly string[], slice: Slice) => Promise<LikeModel[]>;
  bookmarkedBy: (userId: string, postIds: readonly string[]) => Promise<Set<string>>;
  /** The ids of the posts, and when they were saved. */
  bookmarks: (userId: string, slice: Slice) => Promise<RowKey[]>;
  countBookmarks: (userId: string) => Promise<number>;
  /** The ids of the authors, categories and tags that the account follows: as many as one may follow at most. */
  followedBy: (userId: string) => Promise<Set<string>>;
  followedPosts: <W extends PostSelection>(
    userId: string,
    slice: Slice,
    selection: W,
  ) => Promise<PostPayload<W>[]>;
  countFollowedPosts: (userId: string) => Promise<number>;
  /** No transaction that is still writing to this list, and none to come, commits a row from before this moment. */
  horizon: (list: SyncedList) => Promise<Date>;
  /** Earliest first; `createdAt` is when it was deleted. */
  deletions: (since: Date, slice: Slice) => Promise<Deletion[]>;
  countDeletions: (since: Date) => Promise<number>;
  /** Unknown ids are absent. */
  nodeTypes: (ids: readonly string[]) => Promise<Map<string, NodeType>>;
};

/** The kinds of emails and their template data. `link` is a path relative to the site's URL. */
export type EmailData = {
  verify: { username: string; link: string; at: Date; browser: string | null };
  newSignIn: { username: string; at: Date; browser: string | null };
  reset: { username: string; link: string };
  accountExists: { username: string };
  passwordChanged: { username: string };
  accountDeleted: { username: string };
};

export type Mail = {
  /** True without a mail server: emails stay in the outbox table. */
  isLocalOutbox: boolean;
  /** Adds an email to the transactional outbox; the worker delivers it after the commit. */
  write: <K extends keyof EmailData>(tx: Tx, kind: K, recipient: string, data: EmailData[K]) => Promise<void>;
  /** Adds a delivery without an email, which takes as long: those of other recipients would reveal who has an account. */
  simulate: (tx: Tx, recipient: string) => Promise<void>;
};

/** A picture that a text may show. Its URLs are paths, so that rendered HTML does not depend on the site's address. */
export type TextPicture = {
  width: number;
  height: number;
  srcset: string;
  avifSrcset: string | null;
  alt: string;
};

export type TextPictures = Record<string, TextPicture>;

/**
 * @param pictures the pictures that the text may show; others become links
 * @param share the key of fair queueing: texts of one share wait for each other, and those of others go in between
 * @returns null if the queue is full or already holds a text of this owner
 */
type RenderText = (
  text: string,
  owner: string,
  pictures?: TextPictures,
  share?: string,
) => Promise<string | null>;

export type Markdown = {
  version: number;
  render: RenderText;
  /** Like `render`, in a thread of its own, as those of jobs are: nothing counts them, so texts of posts must not wait. */
  preview: RenderText;
  toPlain: (text: string) => string;
};

type Like = <W extends PostSelection>(
  postId: string,
  userId: string,
  selection: W,
) => Promise<{ post: PostPayload<W>; hasChanged: boolean } | null>;

/** Idempotent. Both return the post, or null if it does not exist. Its likers and their count are those before the write. */
export type Likes = { add: Like; remove: Like };

/** Locks, held until the transaction ends. `shareLock…` takes a shared lock, `lock…` an exclusive one. */
export type Locks = {
  shareLockAccount: (tx: Tx, id: string) => Promise<number>;
  /** @returns false if the account does not exist */
  lockAccount: (tx: Tx, id: string) => Promise<boolean>;
  lockAccountWithPhoto: (tx: Tx, id: string) => Promise<{ photoId: string | null } | null>;
  /** @returns false if the session has ended */
  shareLockSession: (tx: Tx, id: string) => Promise<boolean>;
  lockAdmins: (tx: Tx) => Promise<string[]>;
  shareLockPasswordHash: (tx: Tx, id: string) => Promise<string | null>;
  lockPostWithImage: (tx: Tx, id: string) => Promise<{ imageId: string } | null>;
  lockKey: (tx: Tx, key: string) => Promise<void>;
};

export type Counter = { key: string; hits: number; resetsAt: Date };

export type Writes = {
  /** Adds hits to fixed-window counters, replaces those of windows that have ended or of a wrong clock. @returns the totals */
  addToCounters: (db: Db, counters: Counter[], now: Date) => Promise<Counter[]>;
  /** Removes hits from counters, and the counters that have no more. */
  removeFromCounters: (db: Db, keys: string[], hits: number) => Promise<void>;
  storeHtml: (html: { postId: string; description: string; html: string; version: number }) => Promise<void>;
  /** Indexes posts by texts with spaces between words, unless the posts have changed since. */
  indexPosts: (
    posts: (SearchablePost & { spacedTitle: string; spacedDescription: string })[],
  ) => Promise<void>;
  findOwnStore: () => Promise<OwnStore | null>;
  /** The pictures that the author of a post has uploaded for it: for its text, draft and revisions. */
  findUploadsOfPost: (tx: Tx, postId: string) => Promise<string[]>;
  /** Deletes those that are no cover or photo, and in no text of their uploader. @returns the deleted ones */
  deleteUnusedPictures: (tx: Tx, ids: readonly string[]) => Promise<string[]>;
  /**
   * Deletes those of a batch of uploads that runs of this job have found unused since `before`. @returns their ids, and the
   * id after which the next batch begins; null if there is none
   */
  deleteAbandonedUploads: (
    batch: { after: string; take: number },
    now: Date,
    before: Date,
  ) => Promise<{ removed: string[]; last: string | null }>;
  /** Computes the related posts of a post. @returns the ids of all posts whose related posts have changed */
  relatePost: (tx: Tx, postId: string) => Promise<string[]>;
  /** Creates the tags that do not exist, and gives the post these and no others. Returns whether they differ from before. */
  setTags: (
    tx: Tx,
    postId: string,
    tags: readonly { name: string; key: string }[],
    now: Date,
  ) => Promise<boolean>;
  /** Gives the posts and followers of one tag the other, and deletes the first. */
  mergeTags: (tx: Tx, from: string, into: string) => Promise<void>;
  /** Deletes tags that no post carries, only those with the id or the key if they are given. @returns their number */
  deleteUnusedTags: (tx: Tx, which: { limit: number; id?: string; key?: string }) => Promise<number>;
  /** Leaves one row for the number of posts of each tag, and none of deleted tags. */
  sumTagCounts: (tx: Tx) => Promise<void>;
  /** Marks the HTML of texts that show a picture of their author's, so that a job renders it again. It is shown until then. @returns their number */
  outdateHtmlWith: (pictureId: string) => Promise<number>;
  /** Marks every thousandth post of days with many that have changed, where their pages can start. @returns the number of marks */
  markCrowdedDays: () => Promise<number>;
  /** Has a job complete pictures. */
  enqueuePictureCompletion: () => Promise<unknown>;
  setConfusableKeys: (keys: ReadonlyMap<string, string>) => Promise<void>;
};
