import { queueIfLong } from "../lists/lists.ts";
import { notFound } from "../../errors.ts";
import { newToken } from "../accounts/tokens.ts";
import type { Ctx, ReadCtx } from "../context.ts";
import { mapConstraintError } from "../constraint-errors.ts";
import { asViewer, canEdit, requireSessionUntilCommit } from "../permissions.ts";
import { limitWrites } from "../write-limits.ts";
import { requireDraft, type Draft } from "./drafts.ts";

/**
 * Lets everybody with the link read the draft. A repeated call keeps the link.
 * @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, RATE_LIMITED
 */
export function createPreviewLink(ctx: Ctx, draftId: string): Promise<Draft> {
  return asViewer(ctx, async (viewer) => {
    const draft = await requireDraft(ctx, draftId);
    const link = { draftId: draft.id, token: newToken(), createdAt: ctx.now() };
    await limitWrites(ctx, "drafts", () =>
      ctx.db
        .$transaction(async (tx) => {
          await requireSessionUntilCommit(ctx, tx, viewer);
          await tx.previewLink.createMany({ data: [link], skipDuplicates: true });
        })
        .catch(mapConstraintError("reference", () => notFound("draft"))),
    );
    return draft;
  });
}

/** Invalidates the link; a new one has another secret. @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, RATE_LIMITED */
export function revokePreviewLink(ctx: Ctx, draftId: string): Promise<Draft> {
  return asViewer(ctx, async () => {
    const draft = await requireDraft(ctx, draftId);
    const where = { draftId: draft.id };
    await limitWrites(ctx, "drafts", () => ctx.db.previewLink.deleteMany({ where }));
    return draft;
  });
}

/** @returns null unless the token is that of a link */
export async function findPreview(ctx: ReadCtx, token: string): Promise<Draft | null> {
  const read = () => ctx.queries.preview(token);
  const draft = /^[\w-]{43}$/.test(token) ? await queueIfLong(true, ctx.origin, read) : null;
  // An error names events of the account, such as a new password.
  return draft && !canEdit(ctx, draft) ? { ...draft, publishError: null } : draft;
}

export const findPreviewTokens = (ctx: ReadCtx, draftIds: readonly string[]) =>
  ctx.queries.previewTokens(draftIds);

export const previewUrlOf = ({ siteUrl }: ReadCtx, token: string) => `${siteUrl}/preview/${token}`;
