import { setTimeout } from "node:timers/promises";
import type { Ctx } from "../context.ts";
import type { CacheTag, Tx } from "../ports.ts";
import { tagsOfComments } from "./posts.ts";

/** Rows of one statement, whose time is limited, as is the number of posts that it notifies of. A revision or key has up to 200 kB. */
const BATCHES = { comments: 1_000, likes: 300, revisions: 100, keys: 100 };

type Owner = { userId: string } | { postId: string } | { post: { userId: string } };
type Transact = (work: (tx: Tx) => Promise<unknown>) => Promise<unknown>;

/** Deletes comments and revisions, and leaves less than a batch of each to the deletion of their owner. */
export async function removeDependentRows(ctx: Ctx, where: Owner, transact: Transact): Promise<void> {
  const { db } = ctx;
  await removeComments(ctx, where, transact);
  await removeMany(ctx, transact, {
    batch: BATCHES.revisions,
    find: (take) => db.revision.findMany({ where, take, select: { id: true } }),
    remove: (tx, rows) => tx.revision.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } }),
  });
}

const removeComments = (
  ctx: Ctx,
  where: Owner | { userId: string; postId: { in: string[] } },
  transact: Transact,
) =>
  removeMany(ctx, transact, {
    batch: BATCHES.comments,
    find: (take) => ctx.db.comment.findMany({ where, take, select: { id: true, postId: true } }),
    remove: (tx, rows) => tx.comment.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } }),
    tagsOf: ({ postId }) => tagsOfComments(postId),
  });

/** Posts whose pages the deletion of an account removes from the cache in a second. */
const POSTS_PER_SECOND = 30;

/** Deletes the comments of an account below all but a few posts. Pages of many posts are not built again at once. */
export async function removeCommentsInTurns(ctx: Ctx, userId: string, transact: Transact): Promise<void> {
  const { db, rateLimitsEnabled, viewer } = ctx;
  const posts = {
    by: "postId",
    where: { userId },
    orderBy: { postId: "asc" },
    take: POSTS_PER_SECOND,
  } as const;
  for (;;) {
    const postIds = (await db.comment.groupBy(posts)).map(({ postId }) => postId);
    if (postIds.length < POSTS_PER_SECOND) return;
    const where = { userId, postId: { in: postIds } };
    await removeComments(ctx, where, transact);
    await transact((tx) => tx.comment.deleteMany({ where }));
    ctx.invalidate(...postIds.flatMap(tagsOfComments));
    if (rateLimitsEnabled && !viewer?.isAdmin) await setTimeout(1_000);
  }
}

/** Deletes likes and idempotency keys of an account, and leaves less than a batch of each. */
export async function removeLikesAndKeys(ctx: Ctx, userId: string, transact: Transact): Promise<void> {
  const { db } = ctx;
  await removeMany(ctx, transact, {
    batch: BATCHES.likes,
    find: (take) => db.like.findMany({ where: { userId }, take, select: { postId: true } }),
    remove: (tx, rows) =>
      tx.like.deleteMany({ where: { userId, postId: { in: rows.map(({ postId }) => postId) } } }),
    tagsOf: ({ postId }) => [`post:${postId}`],
  });
  await removeMany(ctx, transact, {
    batch: BATCHES.keys,
    find: (take) =>
      db.idempotencyKey.findMany({ where: { userId, answer: { not: null } }, take, select: { key: true } }),
    remove: (tx, rows) =>
      tx.idempotencyKey.deleteMany({ where: { userId, key: { in: rows.map(({ key }) => key) } } }),
  });
}

type Rows<Row> = {
  batch: number;
  find: (take: number) => Promise<Row[]>;
  remove: (tx: Tx, rows: Row[]) => Promise<unknown>;
  tagsOf?: (row: Row) => readonly CacheTag[];
};

async function removeMany<Row>(
  ctx: Ctx,
  transact: Transact,
  { batch, find, remove, tagsOf = () => [] }: Rows<Row>,
): Promise<void> {
  for (let rows = await find(batch); rows.length === batch; rows = await find(batch)) {
    await transact((tx) => remove(tx, rows));
    ctx.invalidate(...new Set(rows.flatMap(tagsOf)));
  }
}
