import { z } from "zod";
import { withUnqueuedDb, type Ctx, type Viewer } from "./context.ts";
import { conflict, forbidden, notFound } from "../errors.ts";
import { createBulkhead } from "../queue.ts";
import { removeCommentsInTurns, removeDependentRows, removeLikesAndKeys } from "./posts/dependent-rows.ts";
import { tagsOfComments, tagsOfDeleted } from "./posts/posts.ts";
import { lockRelated } from "./posts/related-posts.ts";
import { parseInput } from "./input.ts";
import { asViewer, requireSessionAtFirst } from "./permissions.ts";
import { removePictures } from "./pictures.ts";
import { readProfile, tagsOfByline, type Profile } from "./profiles.ts";
import { currentPassword, requireRecentSignIn } from "./accounts/reauthentication.ts";
import { recordEvent } from "./accounts/security-events.ts";
import type { CacheTag, Tx } from "./ports.ts";

const BATCH = 100;

const queueDeletion = createBulkhead("deletions");

export const profileDeletion = z.strictObject({ currentPassword });

/**
 * Deletes an account with its posts, drafts, pictures, comments, likes and sessions.
 * @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, FORBIDDEN, REAUTHENTICATION_REQUIRED for the viewer's own
 * account, CONFLICT for the last admin
 */
export function deleteProfile(ctx: Ctx, id: string, fields?: unknown) {
  return asViewer(ctx, async (viewer) => {
    const profile = await readProfile(ctx, id);
    if (profile.id !== viewer.id && !viewer.isAdmin)
      throw forbidden("not allowed, only user himself or admin");
    if (profile.id === viewer.id) {
      const input = parseInput(profileDeletion, fields);
      await requireRecentSignIn(ctx, viewer, input.currentPassword);
    }
    const pictures: string[] = [];
    try {
      await queueDeletion(() => removeProfile(withUnqueuedDb(ctx), profile, viewer, pictures), profile.id);
    } finally {
      // Without the permit: a bucket may take minutes. Also of a deletion that fails: when it is repeated, their rows are gone.
      await removePictures(ctx, pictures);
    }
    recordEvent(ctx, { event: "delete-account", target: profile.id, outcome: "success" });
    return { id: profile.id, message: "your profile has been deleted" };
  });
}

/** @param pictures gets those whose rows are deleted and whose files remain */
async function removeProfile(ctx: Ctx, profile: Profile, viewer: Viewer, pictures: string[]): Promise<void> {
  const session = requireSessionAtFirst(viewer);
  const transact = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const result = await ctx.db.$transaction(async (tx) => {
      if (profile.isAdmin) await refuseLastAdmin(ctx, tx, profile.id);
      await session.check(tx);
      return work(tx);
    });
    session.begun();
    return result;
  };
  await removeCommentsInTurns(ctx, profile.id, transact);
  await removeDependentRows(ctx, { userId: profile.id }, transact);
  await removeDependentRows(ctx, { post: { userId: profile.id } }, transact);
  await removeLikesAndKeys(ctx, profile.id, transact);
  await removeManyPosts(ctx, profile, transact, pictures);
  const tags = await tagsOf(ctx, profile.id);
  pictures.push(...(await ctx.db.$transaction((tx) => removeRows(ctx, tx, profile, session.check))));
  ctx.invalidate(...tags);
}

/** Of an account with less than a batch of rows of each kind. */
async function tagsOf({ db }: Ctx, userId: string): Promise<CacheTag[]> {
  const where = { userId };
  const [categories, own, commented, liked] = await Promise.all([
    db.category.findMany({ where, select: { id: true }, take: 1 }),
    db.post.findMany({ where, select: { id: true } }),
    db.comment.findMany({ where, select: { postId: true }, distinct: "postId" }),
    db.like.findMany({ where, select: { postId: true } }),
  ]);
  return [
    ...(["posts", `author:${userId}`] as const),
    ...categories.map(() => "categories" as const),
    ...tagsOfByline(userId),
    `deleted:${userId}` as const,
    ...own.flatMap(({ id }) => tagsOfDeleted(id)),
    ...commented.flatMap(({ postId }) => tagsOfComments(postId)),
    ...liked.map(({ postId }) => `post:${postId}` as const),
  ];
}

/** Locks all admin rows, so that the last two admins cannot both delete themselves at once. @throws CONFLICT */
async function refuseLastAdmin({ locks }: Ctx, tx: Tx, id: string): Promise<void> {
  const admins = await locks.lockAdmins(tx);
  if (admins.length === 1 && admins[0] === id) throw conflict("the last admin cannot be deleted");
}

/** Leaves less than a batch of posts. A deletion that is interrupted goes on when it is repeated. */
async function removeManyPosts(
  ctx: Ctx,
  profile: Profile,
  transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  pictures: string[],
): Promise<void> {
  const find = () =>
    ctx.db.post.findMany({
      ...{ where: { userId: profile.id }, select: { id: true, imageId: true }, take: BATCH },
    });
  for (let posts = await find(); posts.length === BATCH; posts = await find()) {
    const removed = await transact(async (tx) => {
      await lockRelated(ctx, tx);
      await tx.post.deleteMany({ where: { id: { in: posts.map(({ id }) => id) } } });
      return ctx.writes.deleteUnusedPictures(
        tx,
        posts.map(({ imageId }) => imageId),
      );
    });
    ctx.invalidate("posts", `author:${profile.id}`, ...posts.flatMap(({ id }) => tagsOfDeleted(id)));
    pictures.push(...removed);
  }
}

async function removeRows(
  ctx: Ctx,
  tx: Tx,
  profile: Profile,
  checkSession: (tx: Tx) => Promise<void>,
): Promise<string[]> {
  if (profile.isAdmin) await refuseLastAdmin(ctx, tx, profile.id);
  // Lock before listing the posts: a concurrent insert waits for the deletion and then fails.
  const user = await ctx.locks.lockAccountWithPhoto(tx, profile.id);
  if (!user) throw notFound("user");
  const posts = await tx.post.findMany({ where: { userId: profile.id }, select: { imageId: true } });
  const uploads = await tx.upload.findMany({ where: { userId: profile.id }, select: { pictureId: true } });
  const pictures = [
    ...posts.map((post) => post.imageId),
    ...uploads.map((upload) => upload.pictureId),
    ...(user.photoId ? [user.photoId] : []),
  ];
  await lockRelated(ctx, tx);
  await checkSession(tx);
  await tx.user.deleteMany({ where: { id: profile.id } });
  await tx.picture.deleteMany({ where: { id: { in: pictures } } });
  await ctx.mail.write(tx, "accountDeleted", profile.email, { username: profile.username });
  return pictures;
}
