import type {
  CategoryModel,
  CommentModel,
  PictureModel,
  PostModel,
  TagModel,
  UserModel,
} from "../generated/prisma/models.ts";

export type Picture = Omit<PictureModel, "createdAt">;

/** An account without its password hash. */
export type Profile = Omit<UserModel, "passwordHash" | "confusableKey"> & { photo: Picture | null };

export type AuthorSummary = Pick<Profile, "id" | "username">;

/** `author` is present if it was selected with the post. */
export type Comment = CommentModel & { author?: AuthorSummary | Profile };

export type Category = CategoryModel;

export type Tag = Omit<TagModel, "nameKey">;

/** Fields of a post that are computed from other tables: `data/queries/computed-fields.ts` has their SQL. */
export type ComputedFields = {
  /** User ids, earliest like first. */
  likers: string[];
  likeCount: number;
  commentCount: number;
  readingMinutes: number;
  tags: Pick<Tag, "id" | "name">[];
};
export type ComputedField = keyof ComputedFields;
export const reactionFields: readonly ComputedField[] = ["likers", "likeCount", "commentCount"];
export const computedFields: readonly ComputedField[] = [...reactionFields, "readingMinutes", "tags"];

export type PostParts = Partial<ComputedFields> & {
  description?: string;
  /** The text as sanitized HTML; null until it is rendered. */
  html?: string | null;
  image?: Picture;
  author?: AuthorSummary | Profile;
  comments?: Comment[];
};

export type Post = Omit<PostModel, "description" | "draftId" | "tagsChangedAt"> & PostParts;

type AuthorDetail = "summary" | "byline" | "full";

/** Selects the parts of a post to read, with a slice of its comments. */
export type PostSelection = { [Part in Exclude<keyof PostParts, "author" | "comments">]?: boolean } & {
  author?: AuthorDetail;
  comments?: Slice & { author?: AuthorDetail };
};

type Author<Part> = Part extends { author: "byline" | "full" }
  ? { author: Profile }
  : Part extends { author: "summary" }
    ? { author: AuthorSummary }
    : unknown;

export const selectsTexts = ({ description, html, comments }: PostSelection): boolean =>
  Boolean(description ?? html ?? comments);

export const postContent = { description: true, image: true } as const;

export type PostPayload<W extends PostSelection> = Omit<Post, "author" | "comments"> &
  Author<W> &
  Required<Pick<PostParts, Exclude<Extract<keyof W, keyof PostParts>, "author" | "comments">>> &
  (W extends { comments: infer Comments } ? { comments: (Comment & Author<Comments>)[] } : unknown);

export type RowKey = { createdAt: Date; id: string };

/** The types that are reachable by their id alone. */
export type NodeType = "Post" | "Comment" | "Category" | "Profile" | "Tag";

export type Deletion = RowKey & { type: Exclude<NodeType, "Tag"> };

/** Rows created on a day; `day` as in 2026-11-21, in UTC. */
export type DailyCount = { day: string; users: number; posts: number; categories: number; comments: number };

/** A range of a list sorted by creation time, after `cursor` and `skip` rows. */
export type Slice = {
  direction: "asc" | "desc";
  cursor: RowKey | null;
  take: number;
  skip: number;
  /** Leaves out rows from this moment on. */
  until?: Date | undefined;
};

/** `tag` is the key of a tag. */
export type PostFilter = {
  category?: string | undefined;
  author?: string | undefined;
  tag?: string | undefined;
  updatedAfter?: Date;
};

/** Words that must occur, or must not if it is excluded; the last as a prefix or whole, next to each other in a phrase. */
export type SearchTerm = { words: string[]; isExcluded: boolean; isPrefix: boolean; isPhrase: boolean };
/** Words are folded. A post must match all terms, authors and categories (each the words of a name), and keys of tags. */
export type SearchQuery = {
  terms: SearchTerm[];
  authors: string[][];
  categories: string[][];
  tags: string[];
};
export type SearchKey = { kind: "Post" | "Profile" | "Category" | "Tag"; id: string };
/** `isCut`: more posts than are ranked have the words. `isNearest`: no row has all words, these have some or similar ones. */
export type SearchResultKeys = { keys: SearchKey[]; total: number; isCut: boolean; isNearest: boolean };
export type SearchablePost = { id: string; title: string; description: string };

export type ListName = "posts" | "comments" | "categories" | "tags" | "users" | "emails";

export type NameSearch = { text: string; key: string };
/** Words match as prefixes, literals as substrings; all must match the title or the text. */
export type FullTextSearch = { words: string[]; literals: string[] };

export type ListSelection =
  | { list: "posts"; filter: PostFilter; search: FullTextSearch | null }
  | { list: "comments" | "categories" | "tags" | "users"; search: NameSearch | null }
  | { list: "emails" };

/** A list that can be read from its oldest row to its newest while others write. */
export type SyncedList = ListName | "deletions";

/** `field` is an API name such as `author`, not a column. Ids break ties. */
export type ListOrder = { field: string; direction: "asc" | "desc" };
/** A row's key with its value in the order of the list, which is `createdAt` if absent. */
export type ListKey = RowKey & { value?: Date | string };
export type ListSlice = { cursor: ListKey | null; take: number; skip: number; until?: Date | undefined };

/** Ids of the posts of the same author before and after one. */
export type Neighbours = { previous: string | null; next: string | null; authorId: string };
