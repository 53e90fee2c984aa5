import type { z } from "zod";
import type { ReadCtx } from "../domain/context.ts";
import type { Category } from "../domain/categories.ts";
import { firstComments, readAllCommentsOf, type Comment } from "../domain/comments.ts";
import { findLikers } from "../domain/posts/likes.ts";
import { imageOf, photoOf, variantsOf, type Image } from "../domain/pictures.ts";
import { readAllPosts, type Post } from "../domain/posts/posts.ts";
import { findProfiles, visibleEmail, type Profile } from "../domain/profiles.ts";
import { findTagsOf } from "../domain/posts/tags.ts";
import { notFound } from "../errors.ts";
import { postContent, type PostPayload } from "../domain/post-selection.ts";
import type * as shapes from "./shapes.ts";
import { readFirst, streamObject, type JsonStream } from "./endpoint/streams.ts";

// Every field is listed, so that no new column becomes public unnoticed.

type Shape<Name extends keyof typeof shapes> = z.output<(typeof shapes)[Name]>;

const COMMENTS_AT_ONCE = 200;

const unique = (ids: string[]) => [...new Set(ids)];

export function presentPhoto(ctx: ReadCtx, profile: Profile): Shape<"image"> {
  const { url, publicId } = photoOf(ctx, profile);
  return { url, publicId };
}

const presentWithVariants = (ctx: ReadCtx, image: Image) => ({
  url: image.url,
  publicId: image.publicId,
  variants: variantsOf(ctx, image) as Shape<"image">["variants"],
});

const presentAuthor = (ctx: ReadCtx, profile: Profile): Shape<"author"> => ({
  _id: profile.id,
  id: profile.id,
  username: profile.username,
  profilePhoto: presentPhoto(ctx, profile),
});

export const presentUser = (ctx: ReadCtx, profile: Profile): Shape<"user"> => ({
  ...presentAuthor(ctx, profile),
  email: visibleEmail(ctx, profile),
  bio: profile.bio,
  isAdmin: profile.isAdmin,
  isAccountVerified: profile.verifiedAt !== null,
  createdAt: profile.createdAt,
  updatedAt: profile.updatedAt,
});

export const presentSession = (ctx: ReadCtx, profile: Profile, token: string): Shape<"userSession"> => ({
  _id: profile.id,
  id: profile.id,
  username: profile.username,
  email: profile.email,
  isAdmin: profile.isAdmin,
  profilePhoto: presentPhoto(ctx, profile),
  token,
});

type Content = PostPayload<typeof postContent>;
type Whole = Content & Required<Pick<Post, "tags">>;

function presentPostWith<User>(ctx: ReadCtx, post: Whole, user: User, likes: string[]) {
  const { url, publicId } = imageOf(ctx, post.image, post.title);
  return {
    _id: post.id,
    id: post.id,
    title: post.title,
    description: post.description,
    category: post.category,
    tags: post.tags.map(({ name }) => name),
    image: { url, publicId },
    user,
    likes,
    createdAt: post.createdAt,
    updatedAt: post.updatedAt,
  };
}

export async function presentChangedPost(ctx: ReadCtx, post: Content): Promise<Shape<"changedPost">> {
  const [likers, tags] = await Promise.all([findLikers(ctx, [post.id]), findTagsOf(ctx, [post.id])]);
  const whole = { ...post, tags: tags.get(post.id) ?? [] };
  return presentPostWith(ctx, whole, post.userId, likers.get(post.id) ?? []);
}

export const presentPostOfUser = (ctx: ReadCtx, post: Whole, likes: string[]): Shape<"changedPost"> =>
  presentPostWith(ctx, post, post.userId, likes);

export const writtenFields = { ...postContent, tags: true, likers: true } as const;

/** A user with their posts, newest first; more than one group are streamed. */
export async function presentProfile(ctx: ReadCtx, profile: Profile): Promise<Shape<"profile"> | JsonStream> {
  const profilePhoto = presentWithVariants(ctx, photoOf(ctx, profile));
  const user = { ...presentUser(ctx, profile), profilePhoto };
  const present = (posts: PostPayload<typeof writtenFields>[]) =>
    posts.map((post) => presentPostWith(ctx, post, profile.id, post.likers));
  const { all, chunks } = await readFirst(readAllPosts(ctx, { author: profile.id }, writtenFields));
  return chunks ? streamObject(user, "posts", chunks, present) : { ...user, posts: present(all) };
}

export const postListFields = { ...writtenFields, author: "full" } as const;
export const fullPostFields = { ...postListFields, comments: firstComments(COMMENTS_AT_ONCE + 1) } as const;

export const presentPost = (ctx: ReadCtx, post: PostPayload<typeof postListFields>): Shape<"post"> =>
  presentPostWith(ctx, post, presentAuthor(ctx, post.author), post.likers);

export const presentPostAndFiles = (
  ctx: ReadCtx,
  post: PostPayload<typeof postListFields>,
): Shape<"post"> => ({
  ...presentPost(ctx, post),
  image: presentWithVariants(ctx, imageOf(ctx, post.image, post.title)),
});

/** A post with its comments, oldest first; more than COMMENTS_AT_ONCE are streamed. */
export function presentFullPost(
  ctx: ReadCtx,
  post: PostPayload<typeof fullPostFields>,
): Shape<"postFull"> | JsonStream {
  const { comments } = post;
  const head = presentPostAndFiles(ctx, post);
  if (comments.length > COMMENTS_AT_ONCE)
    return streamObject(head, "comments", readAllCommentsOf(ctx, post.id), (chunk) =>
      presentComments(ctx, chunk),
    );
  const present = (comment: (typeof comments)[number]) =>
    presentCommentWith(comment, comment.userId, comment.author.username);
  return { ...head, comments: comments.map(present) };
}

function presentCommentWith<User>(comment: Comment, user: User, username: string) {
  const { id, postId, text, createdAt, updatedAt } = comment;
  return { _id: id, id, postId, user, username, text, createdAt, updatedAt };
}

async function presentComments(ctx: ReadCtx, comments: Comment[]): Promise<Shape<"comment">[]> {
  const users = await findProfiles(ctx, unique(comments.map((comment) => comment.userId)));
  return comments.flatMap((comment) => {
    const user = users.get(comment.userId);
    return user ? [presentCommentWith(comment, user.id, user.username)] : [];
  });
}

export async function presentComment(ctx: ReadCtx, comment: Comment): Promise<Shape<"comment">> {
  const [presented] = await presentComments(ctx, [comment]);
  if (!presented) throw notFound("comment");
  return presented;
}

export async function presentCommentsWithUsers(
  ctx: ReadCtx,
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
  id,
  title,
  user: userId,
  createdAt,
  updatedAt,
});
