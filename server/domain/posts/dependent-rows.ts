import type { Ctx } from "../context.ts";
import type { Tx } from "../ports.ts";

/** Rows of one statement: one that deleted all of an account would exceed its time. A revision has up to 200 kB. */
const BATCHES = { comments: 5_000, revisions: 100 };

type Owner = { userId: string } | { postId: string } | { post: { userId: string } };
type Check = (tx: Tx) => Promise<void>;

/** Deletes comments and revisions, and leaves less than a batch of each to the deletion of their owner. */
export async function removeDependentRows({ db }: Ctx, where: Owner, check: Check): Promise<void> {
  await removeMany(db, check, BATCHES.comments, {
    find: (page) => db.comment.findMany({ where, ...page }),
    remove: (tx, id) => tx.comment.deleteMany({ where: { id } }),
  });
  await removeMany(db, check, BATCHES.revisions, {
    find: (page) => db.revision.findMany({ where, ...page }),
    remove: (tx, id) => tx.revision.deleteMany({ where: { id } }),
  });
}

type Rows = {
  find: (page: { select: { id: true }; take: number }) => Promise<{ id: string }[]>;
  remove: (tx: Tx, id: { in: string[] }) => Promise<unknown>;
};

async function removeMany(db: Ctx["db"], check: Check, batch: number, { find, remove }: Rows): Promise<void> {
  const next = async () => (await find({ select: { id: true }, take: batch })).map(({ id }) => id);
  for (let ids = await next(); ids.length === batch; ids = await next())
    await db.$transaction(async (tx) => {
      await check(tx);
      await remove(tx, { in: ids });
    });
}
