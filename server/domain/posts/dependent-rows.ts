import type { Ctx } from "../context.ts";
import type { Tx } from "../ports.ts";

/** Comments of one statement: one that deleted hundreds of thousands would exceed its time. */
const BATCH = 5_000;

type Owner = { userId: string } | { postId: string } | { post: { userId: string } };

/** Leaves less than a batch to the deletion of their owner. */
export async function removeManyComments(
  { db }: Ctx,
  where: Owner,
  check: (tx: Tx) => Promise<void>,
): Promise<void> {
  const find = () => db.comment.findMany({ where, select: { id: true }, take: BATCH });
  for (let comments = await find(); comments.length === BATCH; comments = await find()) {
    const ids = comments.map(({ id }) => id);
    await db.$transaction(async (tx) => {
      await check(tx);
      await tx.comment.deleteMany({ where: { id: { in: ids } } });
    });
  }
}
