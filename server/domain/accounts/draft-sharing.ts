import type { Ctx } from "../context.ts";
import type { Tx } from "../ports.ts";

const BATCH = 20;

/**
 * Deletes the preview links of an account's drafts and the times at which they would be published: a thief of a session may
 * have made them. The editor shows the reason.
 */
export async function endDraftSharing(tx: Tx, userId: string, reason: string): Promise<void> {
  await tx.previewLink.deleteMany({ where: { draft: { userId } } });
  await tx.draft.updateMany(endOfSchedules(userId, reason));
}

/** Leaves less than a batch to `endDraftSharing`: one statement for hundreds would exceed its time, and keep a thief signed in. */
export async function endManySchedules({ db }: Ctx, userId: string, reason: string): Promise<void> {
  const { where, data } = endOfSchedules(userId, reason);
  while ((await db.draft.count({ where, take: BATCH })) === BATCH)
    await db.draft.updateMany({ where, data, limit: BATCH });
}

const endOfSchedules = (userId: string, reason: string) => ({
  where: { userId, publishAt: { not: null } },
  data: {
    publishAt: null,
    publishError: `${reason}, please choose the time again`,
    version: { increment: 1 },
  },
});
