import type { Ctx } from "../context.ts";
import type { Tx } from "../ports.ts";

/** Rows of one statement: one that deleted all of an account would exceed its time. A revision or key has up to 200 kB. */
const BATCHES = { comments: 5_000, revisions: 100, keys: 100 };

type Owner = { userId: string } | { postId: string } | { post: { userId: string } };
type Transact = (work: (tx: Tx) => Promise<unknown>) => Promise<unknown>;

/** Deletes comments and revisions, and leaves less than a batch of each to the deletion of their owner. */
export async function removeDependentRows({ db }: Ctx, where: Owner, transact: Transact): Promise<void> {
  await removeMany(transact, BATCHES.comments, {
    find: async (take) => idsOf(await db.comment.findMany({ where, take, select: { id: true } })),
    remove: (tx, ids) => tx.comment.deleteMany({ where: { id: { in: ids } } }),
  });
  await removeMany(transact, BATCHES.revisions, {
    find: async (take) => idsOf(await db.revision.findMany({ where, take, select: { id: true } })),
    remove: (tx, ids) => tx.revision.deleteMany({ where: { id: { in: ids } } }),
  });
}

export async function removeIdempotencyKeys({ db }: Ctx, userId: string, transact: Transact): Promise<void> {
  const find = (take: number) =>
    db.idempotencyKey.findMany({ where: { userId, answer: { not: null } }, take, select: { key: true } });
  await removeMany(transact, BATCHES.keys, {
    find: async (take) => (await find(take)).map(({ key }) => key),
    remove: (tx, keys) => tx.idempotencyKey.deleteMany({ where: { userId, key: { in: keys } } }),
  });
}

const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id);

type Rows = {
  find: (take: number) => Promise<string[]>;
  remove: (tx: Tx, ids: string[]) => Promise<unknown>;
};

async function removeMany(transact: Transact, batch: number, { find, remove }: Rows): Promise<void> {
  for (let ids = await find(batch); ids.length === batch; ids = await find(batch))
    await transact((tx) => remove(tx, ids));
}
