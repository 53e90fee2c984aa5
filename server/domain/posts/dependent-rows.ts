import type { Ctx } from "../context.ts";
import type { Tx } from "../ports.ts";
import type { Prisma } from "../../generated/prisma/client.ts";
import { tagsOfComments } from "./posts.ts";

/** Rows of one statement, whose time is limited. A revision has up to 200 kB. */
const BATCHES = { comments: 1_000, revisions: 100 };

/** By id: a DELETE with a limit compares each row with each while the statistics show no rows. @returns whether some may be left */
export async function deleteComments(db: Tx, where: Prisma.CommentWhereInput): Promise<boolean> {
  const found = await db.comment.findMany({ where, take: BATCHES.comments, select: { id: true } });
  await db.comment.deleteMany({ where: { id: { in: found.map(({ id }) => id) } } });
  return found.length === BATCHES.comments;
}

type Transact = (work: (tx: Tx) => Promise<unknown>) => Promise<unknown>;

/** Deletes comments and revisions of a post, and leaves less than a batch of each to its deletion. */
export async function removeDependentRows(ctx: Ctx, postId: string, transact: Transact): Promise<void> {
  const { comment, revision } = ctx.db;
  const where = { postId };
  while ((await comment.count({ where, take: BATCHES.comments })) === BATCHES.comments) {
    await transact((tx) => deleteComments(tx, where));
    ctx.invalidate(...tagsOfComments(postId));
  }
  while ((await revision.count({ where, take: BATCHES.revisions })) === BATCHES.revisions)
    await transact((tx) => tx.revision.deleteMany({ where, limit: BATCHES.revisions }));
}
