import type { Ctx } from "../context.ts";
import type { Tx } from "../ports.ts";
import { tagsOfComments } from "./posts.ts";

/** Rows of one statement, whose time is limited. A revision has up to 200 kB. */
const BATCHES = { comments: 1_000, revisions: 100 };

type Transact = (work: (tx: Tx) => Promise<unknown>) => Promise<unknown>;

/** Deletes comments and revisions of a post, and leaves less than a batch of each to its deletion. */
export async function removeDependentRows(ctx: Ctx, postId: string, transact: Transact): Promise<void> {
  const { comment, revision } = ctx.db;
  const where = { postId };
  while ((await comment.count({ where, take: BATCHES.comments })) === BATCHES.comments) {
    await transact((tx) => tx.comment.deleteMany({ where, limit: BATCHES.comments }));
    ctx.invalidate(...tagsOfComments(postId));
  }
  while ((await revision.count({ where, take: BATCHES.revisions })) === BATCHES.revisions)
    await transact((tx) => tx.revision.deleteMany({ where, limit: BATCHES.revisions }));
}
