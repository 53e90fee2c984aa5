import { badField, conflict, notFound } from "../../errors.ts";
import { mapConstraintError } from "../constraint-errors.ts";
import type { Ctx, Services, Viewer } from "../context.ts";
import { cutMarkRuns, parseId, withoutControls } from "../input.ts";
import { asViewer, requireSessionUntilCommit } from "../permissions.ts";
import { removePictures } from "../pictures.ts";
import type { Tx } from "../ports.ts";
import { parsePost, type PostContent } from "../posts/post-changes.ts";
import { renderAfterCommit } from "../posts/post-html.ts";
import type { PostPayload, PostSelection } from "../post-selection.ts";
import { readPost, tagsOfContent } from "../posts/posts.ts";
import { relateAfterResponse } from "../posts/related-posts.ts";
import { writePostTexts } from "../posts/write-queue.ts";
import { findTagsOf, lockTags, replaceTags, setTags } from "../posts/tags.ts";
import { indexAfterCommit } from "../searching/search-index.ts";
import { limitWrites } from "../write-limits.ts";
import { draftConflict, findDraft, draftStateOf, type Draft } from "./drafts.ts";

/**
 * Publishes a draft as a new post, or as the next state of its post, and deletes it. Repeated, it returns the same post.
 * @throws UNAUTHENTICATED, BAD_USER_INPUT as a post, NOT_FOUND, RATE_LIMITED, and CONFLICT for another version of the
 * draft, or if its post has changed since
 */
export function publishDraft<W extends PostSelection>(
  ctx: Ctx,
  { id, version }: { id: string; version: number },
  selection: W,
): Promise<PostPayload<W>> {
  return asViewer(ctx, async (viewer) => {
    const draft = await findDraft(ctx, parseId(id));
    if (!draft) return readPublished(ctx, viewer, id, selection);
    const post = await limitWrites(ctx, "posts", async () => {
      if (draft.version !== version) throw draftConflict(draft);
      return publish(ctx, draft, { viewer, origin: ctx.origin });
    });
    if (post) {
      relateAfterResponse(ctx, post.id);
      await Promise.all([renderAfterCommit(ctx, post), indexAfterCommit(ctx, post.id)]);
      return readPost(ctx, post.id, selection);
    }
    const current = await findDraft(ctx, id);
    if (current) throw draftConflict(current);
    // A concurrent request has published it.
    return readPublished(ctx, viewer, id, selection);
  });
}

async function readPublished<W extends PostSelection>(ctx: Ctx, viewer: Viewer, id: string, selection: W) {
  const where = { draftId: id.toLowerCase(), userId: viewer.id };
  const post = await ctx.db.post.findFirst({ where, select: { id: true } });
  if (!post) throw notFound("draft");
  return readPost(ctx, post.id, selection);
}

type Published = { id: string; userId: string; description: string };

/**
 * @param request its session may end while it waits; a job has none
 * @returns null if this version of the draft does not exist any more
 * @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, CONFLICT
 */
export async function publish(
  services: Services,
  draft: Draft,
  request?: { viewer: Viewer; origin: string },
): Promise<Published | null> {
  const content = await parseDraft(services, draft);
  const write = async (tx: Tx) => {
    if (draft.postId !== null || content.tags?.length) await lockTags(services, tx);
    if (request) await requireSessionUntilCommit(services, tx, request.viewer);
    else if ((await services.locks.shareLockAccount(tx, draft.userId)) === 0) throw notFound("user");
    return draft.postId === null
      ? publishNew(services, tx, draft, content)
      : publishChanges(services, tx, { ...draft, postId: draft.postId }, content);
  };
  const published = await writePostTexts(services, write, request?.origin ?? "job");
  if (!published) return null;
  const lists = published.isMoved ? (["posts", `author:${draft.userId}`] as const) : [];
  services.invalidate(...lists, ...tagsOfContent(published.id));
  await removePictures(services, published.removed);
  return { ...content, id: published.id, userId: draft.userId };
}

/** @throws BAD_USER_INPUT with the messages of a post */
export async function parseDraft(services: Pick<Services, "db">, draft: Draft): Promise<PostContent> {
  const { title, description, category, tags, postId, pictureId } = draft;
  if (postId === null && pictureId === null) throw noCover();
  const post = postId === null ? null : await services.db.post.findUnique({ where: { id: postId } });
  return parsePost(services, { title, description, category, tags }, post);
}

/** Deletes the draft before its post is written: of concurrent requests one finds it. */
const takeDraft = async (tx: Tx, { id, version }: Draft) =>
  (await tx.draft.deleteMany({ where: { id, version } })).count === 1;

async function altOf(tx: Tx, { alt: typed, pictureId }: Draft): Promise<string> {
  const alt = cutMarkRuns(withoutControls(typed)).trim();
  if (alt || pictureId === null) return alt;
  return (await tx.upload.findUnique({ where: { pictureId } }))?.alt ?? "";
}

const noCover = () => badField("image", "no image provided");
const coverIsTaken = () => conflict("this picture is the cover of another post");

async function publishNew(services: Services, tx: Tx, draft: Draft, { tags = [], ...content }: PostContent) {
  if (!(await takeDraft(tx, draft))) return null;
  const { userId, pictureId } = draft;
  if (pictureId === null) throw noCover();
  const alt = await altOf(tx, draft);
  const { id } = await tx.post
    .create({
      data: { ...content, alt, userId, imageId: pictureId, draftId: draft.id, createdAt: services.now() },
    })
    .catch(mapConstraintError("unique", coverIsTaken))
    .catch(mapConstraintError("reference", noCover));
  if (tags.length > 0) await setTags(services, tx, id, tags);
  return { id, removed: [], isMoved: true };
}

async function publishChanges(
  services: Services,
  tx: Tx,
  draft: Draft & { postId: string },
  { tags = [], ...content }: PostContent,
) {
  const { locks, writes } = services;
  const id = draft.postId;
  if (!(await locks.lockPostWithImage(tx, id))) throw notFound("post");
  const post = await tx.post.findUniqueOrThrow({ where: { id } });
  if (!(await takeDraft(tx, draft))) return null;
  if (post.updatedAt.getTime() !== draft.postUpdatedAt?.getTime()) {
    const { title, description, category, updatedAt } = post;
    const present = (await findTagsOf(services, [id])).get(id)?.map(({ name }) => name) ?? [];
    const state = {
      ...draftStateOf(draft),
      post: { id, title, description, category, tags: present, updatedAt },
    };
    throw conflict("this post has been changed since the draft was begun", state);
  }
  const imageId = draft.pictureId ?? post.imageId;
  const changes = { ...content, alt: await altOf(tx, draft), draftId: draft.id, imageId };
  await tx.post.update({ where: { id }, data: changes }).catch(mapConstraintError("unique", coverIsTaken));
  const isMoved = (await replaceTags(services, tx, id, tags)) || content.category !== post.category;
  return { id, removed: await writes.deleteUnusedPictures(tx, [post.imageId]), isMoved };
}
