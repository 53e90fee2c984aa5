import type { z } from "zod";
import type { Ctx } from "../context.ts";
import type { Category } from "../domain/categories.ts";
import { allComments, type Comment } from "../domain/comments.ts";
import { findLikers } from "../domain/likes.ts";
import { imageOf, photoOf } from "../domain/pictures.ts";
import { readAllPostsOf } from "../domain/posts.ts";
import { findProfiles, visibleEmail, type Profile } from "../domain/profiles.ts";
import { notFound } from "../errors.ts";
import { content, type PostWith } from "../reads.ts";
import type * as shapes from "./shapes.ts";

// The shapes of the contract, field by field: no row is ever sent as it is.

type Shape<Name extends keyof typeof shapes> = z.output<(typeof shapes)[Name]>;

const unique = (ids: string[]) => [...new Set(ids)];

export function presentPhoto(ctx: Ctx, profile: Profile): Shape<"image"> {
  const { url, publicId } = photoOf(ctx, profile);
  return { url, publicId };
}

const presentAuthor = (ctx: Ctx, profile: Profile): Shape<"author"> => ({
  _id: profile.id,
  id: profile.id,
  username: profile.username,
  profilePhoto: presentPhoto(ctx, profile),
});

export const presentUser = (ctx: Ctx, profile: Profile): Shape<"user"> => ({
  ...presentAuthor(ctx, profile),
  email: visibleEmail(ctx, profile),
  bio: profile.bio,
  isAdmin: profile.isAdmin,
  isAccountVerified: profile.verifiedAt !== null,
  createdAt: profile.createdAt,
  updatedAt: profile.updatedAt,
});

export const presentSession = (ctx: Ctx, profile: Profile, token: string): Shape<"userSession"> => ({
  _id: profile.id,
  username: profile.username,
  email: profile.email,
  isAdmin: profile.isAdmin,
  profilePhoto: presentPhoto(ctx, profile),
  token,
});

type Whole = PostWith<typeof content>;

function presentPostWith<User>(ctx: Ctx, post: Whole, user: User, likes: string[]) {
  const { url, publicId } = imageOf(ctx, post.image, post.title);
  return {
    _id: post.id,
    id: post.id,
    title: post.title,
    description: post.description,
    category: post.category,
    image: { url, publicId },
    user,
    likes,
    createdAt: post.createdAt,
    updatedAt: post.updatedAt,
  };
}

/** A post whose author is named by id: the answer of what changes one. */
export async function presentChangedPost(ctx: Ctx, post: Whole): Promise<Shape<"changedPost">> {
  const likers = await findLikers(ctx, [post.id]);
  return presentPostWith(ctx, post, post.userId, likers.get(post.id) ?? []);
}

export const presentToggledPost = (ctx: Ctx, post: Whole, likes: string[]): Shape<"changedPost"> =>
  presentPostWith(ctx, post, post.userId, likes);

/** A user with everything they wrote, newest first; its posts name their author by id. */
export async function presentProfile(ctx: Ctx, profile: Profile): Promise<Shape<"profile">> {
  const posts = await readAllPostsOf(ctx, profile.id, { ...content, likers: true });
  const written = posts.map((post) => presentPostWith(ctx, post, profile.id, post.likers));
  return { ...presentUser(ctx, profile), posts: written };
}

/** What a post is read with for a list, and for a page of its own. */
export const listed = { ...content, author: "whole", likers: true } as const;
export const whole = { ...listed, comments: allComments } as const;

export const presentPost = (ctx: Ctx, post: PostWith<typeof listed>): Shape<"post"> =>
  presentPostWith(ctx, post, presentAuthor(ctx, post.author), post.likers);

export const presentFullPost = (ctx: Ctx, post: PostWith<typeof whole>): Shape<"postFull"> => ({
  ...presentPost(ctx, post),
  comments: post.comments.map((comment) =>
    presentCommentWith(comment, comment.userId, comment.author.username),
  ),
});

function presentCommentWith<User>(comment: Comment, user: User, username: string) {
  const { id, postId, text, createdAt, updatedAt } = comment;
  return { _id: id, postId, user, username, text, createdAt, updatedAt };
}

export async function presentComments(ctx: Ctx, comments: Comment[]): Promise<Shape<"comment">[]> {
  const users = await findProfiles(ctx, unique(comments.map((comment) => comment.userId)));
  return comments.flatMap((comment) => {
    const user = users.get(comment.userId);
    return user ? [presentCommentWith(comment, user.id, user.username)] : [];
  });
}

export async function presentComment(ctx: Ctx, comment: Comment): Promise<Shape<"comment">> {
  const [presented] = await presentComments(ctx, [comment]);
  if (!presented) throw notFound("comment");
  return presented;
}

/** For admins: who wrote it stands there whole. */
export async function presentCommentsWithUsers(
  ctx: Ctx,
  comments: Comment[],
): Promise<Shape<"commentWithUser">[]> {
  const users = await findProfiles(ctx, unique(comments.map((comment) => comment.userId)));
  return comments.flatMap((comment) => {
    const user = users.get(comment.userId);
    return user ? [presentCommentWith(comment, presentUser(ctx, user), user.username)] : [];
  });
}

export const presentCategory = ({
  id,
  title,
  userId,
  createdAt,
  updatedAt,
}: Category): Shape<"category"> => ({
  _id: id,
  title,
  user: userId,
  createdAt,
  updatedAt,
});
