import { z } from "zod";
import type { Ctx, Viewer } from "../context.ts";
import { badField, forbidden, notFound } from "../../errors.ts";
import { LENGTHS } from "../../limits.ts";
import type { Post, PostPayload, PostSelection, postContent } from "../post-selection.ts";
import { requireCategory } from "../categories.ts";
import { createOnce } from "../idempotency.ts";
import { parseInput, prose, text } from "../input.ts";
import {
  asViewer,
  canDelete,
  canEdit,
  requireSession,
  requireSessionAtFirst,
  requireSessionUntilCommit,
} from "../permissions.ts";
import { removePictures, savePicture, type NewPicture } from "../pictures.ts";
import { removeDependentRows } from "./dependent-rows.ts";
import { renderAfterCommit } from "./post-html.ts";
import { readPost, tagsOfContent, tagsOfDeleted } from "./posts.ts";
import { indexAfterCommit } from "../searching/search-index.ts";
import { lockRelated, relateAfterResponse } from "./related-posts.ts";
import { mapConstraintError } from "../constraint-errors.ts";
import { tagNames } from "./tag-names.ts";
import { findTagsOf, lockTags, replaceTags, setTags } from "./tags.ts";
import { limitDeletions, limitWrites } from "../write-limits.ts";
import { writePosts, writePostTexts } from "./write-queue.ts";
import type { Tx } from "../ports.ts";

/** A parsed multipart form. The domain reads it only after its permission checks. */
export type UploadForm = { fields: unknown; image: Buffer | null };

export const postInput = z.strictObject({
  title: prose(...LENGTHS.title).meta({ examples: ["On slate"] }),
  description: prose(...LENGTHS.description).meta({
    description: "The text, in a small Markdown.",
    examples: ["It splits where it was laid down."],
  }),
  category: text(...LENGTHS.category).meta({
    description: "The title of an existing category.",
    examples: ["Craft"],
  }),
  tags: tagNames.optional(),
});

export const emptyInput = z.strictObject({});

export const postChanges = postInput.partial();

const withImage = { image: true } as const;

export type PostContent = z.output<typeof postInput>;

/**
 * Parses all fields of a post.
 * @param current the post that they replace: its category is valid even if it was deleted since
 * @throws BAD_USER_INPUT
 */
export async function parsePost(
  ctx: Pick<Ctx, "db">,
  fields: unknown,
  current?: { category: string } | null,
): Promise<PostContent> {
  const content = parseInput(postInput, fields);
  content.category = await existingCategory(ctx, content.category, current);
  return content;
}

/** An unchanged category is valid even if it was deleted since. */
const existingCategory = async (
  ctx: Pick<Ctx, "db">,
  category: string,
  current?: { category: string } | null,
) => (category === current?.category ? category : (await requireCategory(ctx, category)).title);

/** Reads a form, which may take minutes. @throws UNAUTHENTICATED if the session has ended meanwhile */
export async function readUploadForm(
  ctx: Ctx,
  viewer: Viewer,
  readForm: () => Promise<UploadForm>,
): Promise<UploadForm> {
  const received = await readForm();
  await requireSession(ctx.db, viewer);
  return received;
}

/** @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, CONFLICT as createOnce, and the errors of savePicture */
export function createPost(ctx: Ctx, readForm: () => Promise<UploadForm>) {
  return asViewer(ctx, async (viewer) => {
    const { fields, image } = await readUploadForm(ctx, viewer, readForm);
    if (!image) throw badField("image", "no image provided");
    return createOnce<CreatedPost>(ctx, viewer, {
      operation: "createPost",
      parse: () => postInput.safeParse(fields).data,
      file: image,
      create: (id) => createWith(ctx, viewer, { id, fields, image }),
      find: (id) => findCreated(ctx, id),
    });
  });
}

type CreatedPost = PostPayload<typeof postContent & { tags: true }>;
type NewPost = { id: string | undefined; fields: unknown; image: Buffer };

async function createWith(ctx: Ctx, viewer: Viewer, { id, fields, image }: NewPost): Promise<CreatedPost> {
  const content = await parsePost(ctx, fields);
  const post = await limitWrites(ctx, "posts", () =>
    savePicture(ctx, image, (picture) => insertPost(ctx, viewer, { ...content, ...(id && { id }) }, picture)),
  );
  ctx.invalidate("posts", `author:${viewer.id}`);
  relateAfterResponse(ctx, post.id);
  await Promise.all([renderAfterCommit(ctx, post), indexAfterCommit(ctx, post.id)]);
  return content.tags?.length ? addTags(ctx, post) : { ...post, tags: [] };
}

const addTags = async <P extends { id: string }>(ctx: Ctx, post: P) => ({
  ...post,
  tags: (await findTagsOf(ctx, [post.id])).get(post.id) ?? [],
});

async function findCreated(ctx: Ctx, id: string): Promise<CreatedPost | null> {
  const post = await ctx.db.post.findUnique({ where: { id }, include: withImage });
  return post && addTags(ctx, post);
}

function insertPost(
  ctx: Ctx,
  viewer: Viewer,
  { tags, ...content }: PostContent & { id?: string },
  picture: NewPicture,
) {
  const own = { user: { connect: { id: viewer.id } }, image: { create: picture }, createdAt: ctx.now() };
  const write = (tx: Tx) =>
    tx.post
      .create({ data: { ...content, ...own }, include: withImage })
      .catch(mapConstraintError("missing", () => notFound("user")));
  return writePost(ctx, viewer, write, tags?.length ? (tx, post) => setTags(ctx, tx, post.id, tags) : null);
}

/** Writes a post and its tags, unless the session has ended while it waited. @throws UNAUTHENTICATED, INSUFFICIENT_STORAGE */
async function writePost<P extends { id: string }>(
  ctx: Ctx,
  viewer: Viewer,
  write: (tx: Tx) => Promise<P>,
  tag: ((tx: Tx, post: P) => Promise<unknown>) | null,
): Promise<P> {
  const writeAll = async (tx: Tx) => {
    if (tag) await lockTags(ctx, tx);
    await requireSessionUntilCommit(ctx, tx, viewer);
    const post = await write(tx);
    await tag?.(tx, post);
    return post;
  };
  return writePostTexts(ctx, writeAll, ctx.origin);
}

/** @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, FORBIDDEN */
export function updatePost<W extends PostSelection>(
  ctx: Ctx,
  id: string,
  fields: unknown,
  selection: W,
): Promise<PostPayload<W>> {
  return asViewer(ctx, async (viewer) => {
    const post = await requireOwnPost(ctx, id, {});
    const changes = parseInput(postChanges, fields);
    if (changes.category !== undefined)
      changes.category = await existingCategory(ctx, changes.category, post);
    return replaceContent(ctx, viewer, { post, changes, selection });
  });
}

type Replacement<W extends PostSelection> = { post: Post; changes: Partial<PostContent>; selection: W };

/** @throws UNAUTHENTICATED, RATE_LIMITED, NOT_FOUND */
export async function replaceContent<W extends PostSelection>(
  ctx: Ctx,
  viewer: Viewer,
  { post, changes: { tags, ...changes }, selection }: Replacement<W>,
): Promise<PostPayload<W>> {
  const write = (tx: Tx) =>
    tx.post
      .update({ where: { id: post.id }, data: changes })
      .catch(mapConstraintError("missing", () => notFound("post")));
  const { category = post.category } = changes;
  let isMoved = category !== post.category;
  const tag = tags
    ? async (tx: Tx) => {
        if (await replaceTags(ctx, tx, post.id, tags)) isMoved = true;
      }
    : null;
  await limitWrites(ctx, "posts", () => writePost(ctx, viewer, write, tag));
  ctx.invalidate(...(isMoved ? (["posts"] as const) : []), ...tagsOfContent(post.id));
  const { description } = changes;
  if (description !== undefined) await renderAfterCommit(ctx, { ...post, description });
  relateAfterResponse(ctx, post.id);
  await indexAfterCommit(ctx, post.id);
  return readPost(ctx, post.id, selection);
}

/** @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, FORBIDDEN, and the errors of savePicture */
export function updatePostImage(ctx: Ctx, id: string, readForm: () => Promise<UploadForm>) {
  return asViewer(ctx, async (viewer) => {
    const post = await requireOwnPost(ctx, id, {});
    const { fields, image } = await readUploadForm(ctx, viewer, readForm);
    if (!image) throw badField("image", "no image provided");
    parseInput(emptyInput, fields);
    const { changed, removed } = await limitWrites(ctx, "posts", () =>
      savePicture(ctx, image, (picture) =>
        ctx.db.$transaction(async (tx) => {
          await requireSessionUntilCommit(ctx, tx, viewer);
          const oldImageId = await lockImage(ctx, tx, post.id);
          const data = { image: { create: picture }, alt: "" };
          const changed = await tx.post.update({ where: { id: post.id }, data, include: withImage });
          return { changed, removed: await ctx.writes.deleteUnusedPictures(tx, [oldImageId]) };
        }),
      ),
    );
    ctx.invalidate(...tagsOfContent(post.id));
    await removePictures(ctx, removed);
    return changed;
  });
}

/** Also deletes the post's comments, likes, draft, revisions and pictures. @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, FORBIDDEN */
export function deletePost(ctx: Ctx, id: string) {
  return asViewer(ctx, async (viewer) => {
    const post = await readPost(ctx, id, {});
    if (!canDelete(ctx, post)) throw forbidden("access denied, forbidden");
    const session = requireSessionAtFirst(viewer);
    const transact = async (work: (tx: Tx) => Promise<unknown>) => {
      await writePosts(ctx, (tx) => session.check(tx).then(() => work(tx)), ctx.origin);
      session.begun();
    };
    const removed = await limitDeletions(ctx, "posts", async () => {
      await removeDependentRows(ctx, post.id, transact);
      return writePosts(ctx, (tx) => removePost(ctx, tx, post, session.check), ctx.origin);
    });
    ctx.invalidate("posts", `author:${post.userId}`, ...tagsOfDeleted(post.id));
    await removePictures(ctx, removed);
    return { id: post.id, message: "post has been deleted successfully" };
  });
}

/** @returns the pictures that it removed @throws UNAUTHENTICATED, NOT_FOUND */
async function removePost(
  ctx: Ctx,
  tx: Tx,
  { id, userId }: Post,
  checkSession: (tx: Tx) => Promise<void>,
): Promise<string[]> {
  // Finding the pictures of long texts takes up to 0.3 s.
  await checkSession(tx);
  await ctx.locks.shareLockAccount(tx, userId);
  const pictures = await ctx.writes.findUploadsOfPost(tx, id);
  await lockRelated(ctx, tx);
  const imageId = await lockImage(ctx, tx, id);
  await checkSession(tx);
  await tx.post.deleteMany({ where: { id } });
  return ctx.writes.deleteUnusedPictures(tx, [imageId, ...pictures]);
}

/**
 * Locks a post until the transaction ends, so that each of two concurrent changes removes its predecessor's picture.
 * @returns the id of the current picture
 * @throws NOT_FOUND if the post has been deleted meanwhile
 */
async function lockImage({ locks }: Ctx, tx: Tx, postId: string): Promise<string> {
  const post = await locks.lockPostWithImage(tx, postId);
  if (!post) throw notFound("post");
  return post.imageId;
}

/** @throws BAD_USER_INPUT, NOT_FOUND, FORBIDDEN */
export async function requireOwnPost<W extends PostSelection>(
  ctx: Ctx,
  id: string,
  selection: W,
): Promise<PostPayload<W>> {
  const post = await readPost(ctx, id, selection);
  if (!canEdit(ctx, post)) throw forbidden("access denied, you are not allowed");
  return post;
}
