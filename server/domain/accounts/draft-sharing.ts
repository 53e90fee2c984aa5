import type { Tx } from "../ports.ts";

/**
 * Deletes the preview links of an account's drafts and the times at which they would be published: a thief of a session may
 * have made them. The editor shows the reason.
 */
export async function endDraftSharing(tx: Tx, userId: string, reason: string): Promise<void> {
  await tx.previewLink.deleteMany({ where: { draft: { userId } } });
  await tx.draft.updateMany({
    where: { userId, publishAt: { not: null } },
    data: {
      publishAt: null,
      publishError: `${reason}, please choose the time again`,
      version: { increment: 1 },
    },
  });
}
