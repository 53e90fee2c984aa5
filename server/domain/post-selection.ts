import type {
  CategoryModel,
  CommentModel,
  PictureModel,
  PostModel,
  UserModel,
} from "../generated/prisma/models.ts";

// The rows that public pages are made of, and what to read with them.

export type Picture = Omit<PictureModel, "createdAt">;

/** An account without its secrets. */
export type Profile = Omit<UserModel, "passwordHash" | "confusableKey"> & { photo: Picture | null };

/** Who an account is, where nobody asks for more. */
export type Name = Pick<Profile, "id" | "username">;

/** `author` comes along where it was wanted with a post. */
export type Comment = CommentModel & { author?: Name | Profile };

export type Category = CategoryModel;

/** Fields of a post that are computed from other tables: `data/queries/computed-fields.ts` has their SQL. */
export type ComputedFields = {
  /** The users who like it, earliest first. */
  likers: string[];
  likeCount: number;
  commentCount: number;
};
export type ComputedField = keyof ComputedFields;
export const computedFields: readonly ComputedField[] = ["likers", "likeCount", "commentCount"];

/** What can be read with a post in the same statement, and is not read where nobody wants it. */
export type PostParts = Partial<ComputedFields> & {
  /** The whole text. */
  description?: string;
  /** The text as sanitized HTML; null until it is rendered. */
  html?: string | null;
  image?: Picture;
  author?: Name | Profile;
  /** The comments of the wanted slice. */
  comments?: Comment[];
};

export type Post = Omit<PostModel, "description"> & PostParts;

type Much = "name" | "whole";

/** Of lists a slice, of an account its name or all. */
export type PostSelection = { [Part in Exclude<keyof PostParts, "author" | "comments">]?: boolean } & {
  author?: Much;
  comments?: Slice & { author?: Much };
};

type Author<Part> = Part extends { author: "whole" }
  ? { author: Profile }
  : Part extends { author: "name" }
    ? { author: Name }
    : unknown;

/** What every reader of a whole post wants of it. */
export const postContent = { description: true, image: true } as const;

/** A post with the parts that were wanted. */
export type PostPayload<W extends PostSelection> = Omit<Post, "author" | "comments"> &
  Author<W> &
  Required<Pick<PostParts, Exclude<Extract<keyof W, keyof PostParts>, "author" | "comments">>> &
  (W extends { comments: infer Wish } ? { comments: (Comment & Author<Wish>)[] } : unknown);

export type Key = { createdAt: Date; id: string };

/** What to read of a list: in which order by creation, from where, and how many. */
export type Slice = { direction: "asc" | "desc"; cursor: Key | null; take: number; skip: number };

export type PostFilter = { category?: string | undefined; author?: string | undefined };
