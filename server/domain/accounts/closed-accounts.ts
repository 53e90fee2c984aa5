import { setTimeout } from "node:timers/promises";
import type { Services } from "../context.ts";
import { createBulkhead } from "../../queue.ts";
import { removePictures } from "../pictures.ts";
import { deleteComments } from "../posts/dependent-rows.ts";
import { tagsOfComments, tagsOfDeleted } from "../posts/posts.ts";
import { lockRelated } from "../posts/related-posts.ts";
import { tagsOfByline } from "../profiles.ts";

type Account = { services: Services; userId: string };

/** Deletes a batch. @returns its cost in pages to build again (ten deleted posts count as one), for pacing; null if no row is left */
type RemoveBatch = (account: Account) => Promise<number | null>;

/** Rows of one statement, whose time is limited. A revision, draft or key has up to 200 kB. */
const BATCHES = { posts: 200, commentedPosts: 10, comments: 1_000, likes: 300, texts: 100 };

const removePosts: RemoveBatch = async ({ services, userId }) => {
  const { db, locks, writes, invalidate } = services;
  const found = await db.post.findMany({
    ...{ where: { userId }, orderBy: { id: "asc" }, take: BATCHES.posts },
    select: { id: true, imageId: true },
  });
  if (found.length === 0) return null;
  const comments = { postId: { in: found.map(({ id }) => id) } };
  const areMany = (await db.comment.count({ where: comments, take: BATCHES.comments })) === BATCHES.comments;
  const posts = areMany ? found.slice(0, BATCHES.commentedPosts) : found;
  const ids = posts.map(({ id }) => id);
  const where = { postId: { in: ids } };
  if (await deleteComments(db, where)) {
    invalidate(...ids.flatMap(tagsOfComments));
    return posts.length;
  }
  if ((await db.revision.deleteMany({ where, limit: BATCHES.texts })).count === BATCHES.texts) return 0;
  const pictures = await db.$transaction(async (tx) => {
    await locks.lockAccountWithPhoto(tx, userId);
    await lockRelated(services, tx);
    await tx.post.deleteMany({ where: { id: { in: ids } } });
    return writes.deleteUnusedPictures(
      tx,
      posts.map(({ imageId }) => imageId),
    );
  });
  invalidate("posts", `author:${userId}`, ...ids.flatMap(tagsOfDeleted));
  await removePictures(services, pictures);
  return posts.length / 10;
};

const removeComments: RemoveBatch = async ({ services: { db, invalidate }, userId }) => {
  const posts = await db.comment.groupBy({
    ...{ by: "postId", where: { userId }, orderBy: { postId: "asc" }, take: BATCHES.commentedPosts },
  });
  if (posts.length === 0) return null;
  const ids = posts.map(({ postId }) => postId);
  await deleteComments(db, { userId, postId: { in: ids } });
  invalidate(...ids.flatMap(tagsOfComments));
  return posts.length;
};

const removeLikes: RemoveBatch = async ({ services: { db, invalidate }, userId }) => {
  const likes = await db.like.findMany({ where: { userId }, take: BATCHES.likes, select: { postId: true } });
  if (likes.length === 0) return null;
  const ids = likes.map(({ postId }) => postId);
  await db.like.deleteMany({ where: { userId, postId: { in: ids } } });
  invalidate(...ids.map((id) => `post:${id}` as const));
  return 0;
};

const removeUploads: RemoveBatch = async ({ services, userId }) => {
  const { db } = services;
  const uploads = await db.upload.findMany({ where: { userId }, take: BATCHES.texts });
  if (uploads.length === 0) return null;
  const ids = uploads.map(({ pictureId }) => pictureId);
  await db.picture.deleteMany({ where: { id: { in: ids } } });
  await removePictures(services, ids);
  return 0;
};

const removeTexts =
  (
    remove: (
      db: Services["db"],
      all: { where: { userId: string }; limit: number },
    ) => Promise<{ count: number }>,
  ) =>
  async ({ services: { db }, userId }: Account) => {
    const { count } = await remove(db, { where: { userId }, limit: BATCHES.texts });
    return count > 0 ? 0 : null;
  };

const removeAccount: RemoveBatch = async ({ services, userId }) => {
  const { db, locks, invalidate } = services;
  const categories = await db.category.count({ where: { userId }, take: 1 });
  const photoId = await db.$transaction(async (tx) => {
    const user = await locks.lockAccountWithPhoto(tx, userId);
    await tx.user.deleteMany({ where: { id: userId } });
    if (user?.photoId) await tx.picture.deleteMany({ where: { id: user.photoId } });
    return user?.photoId;
  });
  const shown = categories > 0 ? (["categories"] as const) : [];
  invalidate(...shown, `author:${userId}`, ...tagsOfByline(userId), `deleted:${userId}`);
  if (photoId) await removePictures(services, [photoId]);
  return null;
};

const STEPS: readonly RemoveBatch[] = [
  removePosts,
  removeComments,
  removeLikes,
  removeTexts((db, all) => db.draft.deleteMany(all)),
  removeTexts((db, all) => db.revision.deleteMany(all)),
  removeTexts((db, all) => db.idempotencyKey.deleteMany(all)),
  removeUploads,
  removeAccount,
];

const queueRemoval = createBulkhead("deletions");

const PAGES_PER_SECOND = 10;
let nextBatchAt = 0;

async function removeAtPace(account: Account, removeBatch: RemoveBatch): Promise<number | null> {
  if (!account.services.rateLimitsEnabled) return removeBatch(account);
  await setTimeout(Math.max(0, nextBatchAt - performance.now()));
  const pages = await removeBatch(account);
  nextBatchAt = Math.max(nextBatchAt, performance.now()) + ((pages ?? 0) / PAGES_PER_SECOND) * 1_000;
  return pages;
}

/** Milliseconds that a request, or one run of the job, removes rows of an account for. */
const LONGEST_RUN = 10_000;
/** Milliseconds after which the request that has closed an account removes no more of its rows. */
const REQUEST_IS_OVER = 20_000;
const ACCOUNTS_AT_A_TIME = 10;

/** Removes the rows and pictures of a closed account in batches; the job goes on with what takes longer. @throws UNAVAILABLE */
export async function removeClosedAccount(
  account: Account,
  caller: string,
  signal?: AbortSignal,
): Promise<void> {
  const end = performance.now() + LONGEST_RUN;
  for (const removeBatch of STEPS)
    for (let pages: number | null = 0; pages !== null;) {
      if (performance.now() > end || signal?.aborted) return;
      pages = await queueRemoval(() => removeAtPace(account, removeBatch), caller);
    }
}

/** For accounts whose request was over or ended before. @returns whether there were any; rejects if one could not be removed */
export async function removeClosedAccounts(services: Services, signal?: AbortSignal): Promise<boolean> {
  const closedAt = { lt: new Date(services.now().getTime() - REQUEST_IS_OVER) };
  const accounts = await services.db.closedAccount.findMany({
    ...{ where: { closedAt }, orderBy: { closedAt: "asc" }, take: ACCOUNTS_AT_A_TIME },
  });
  const failures: unknown[] = [];
  for (const { userId } of accounts)
    await removeClosedAccount({ services, userId }, "", signal).catch((error: unknown) =>
      failures.push(error),
    );
  if (failures.length > 0) throw failures[0];
  return accounts.length > 0;
}
