import type { Ctx } from "../context.ts";
import type { CacheTag, Tx } from "../ports.ts";
import { tagsOfComments } from "./posts.ts";

/** Rows of one statement, whose time is limited, as is the number of posts that it notifies of. A revision or key has up to 200 kB. */
const BATCHES = { comments: 1_000, likes: 1_000, revisions: 100, keys: 100 };

type Owner = { userId: string } | { postId: string } | { post: { userId: string } };
type Transact = (work: (tx: Tx) => Promise<unknown>) => Promise<unknown>;

/** Deletes comments and revisions, and leaves less than a batch of each to the deletion of their owner. */
export async function removeDependentRows(ctx: Ctx, where: Owner, transact: Transact): Promise<void> {
  const { db } = ctx;
  await removeMany(ctx, transact, {
    batch: BATCHES.comments,
    find: (take) => db.comment.findMany({ where, take, select: { id: true, postId: true } }),
    remove: (tx, rows) => tx.comment.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } }),
    tagsOf: ({ postId }) => tagsOfComments(postId),
  });
  await removeMany(ctx, transact, {
    batch: BATCHES.revisions,
    find: (take) => db.revision.findMany({ where, take, select: { id: true } }),
    remove: (tx, rows) => tx.revision.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } }),
  });
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
