import { notFound } from "../../errors.ts";
import type { RevisionModel } from "../../generated/prisma/models.ts";
import { byTime, toTimeSlice, readPages, type ConnectionArgs } from "../lists/connections.ts";
import { queueIfLong } from "../lists/lists.ts";
import type { Ctx, ReadCtx } from "../context.ts";
import { nameKey, parseId } from "../input.ts";
import { asViewer } from "../permissions.ts";
import { replaceContent, requireOwnPost } from "../posts/post-changes.ts";
import type { PostPayload, PostSelection } from "../post-selection.ts";

/** A published state of a post that another has replaced. */
export type Revision = RevisionModel;

/**
 * Reads the same page of revisions of several posts, newest first.
 * The caller must have called `requireReviewer`.
 * @param pageArgs with `withTexts` if the rows need their descriptions
 * @throws BAD_USER_INPUT
 */
export function readRevisionsOfMany(
  ctx: ReadCtx,
  parentIds: readonly string[],
  { withTexts, ...pageArgs }: ConnectionArgs & { withTexts: boolean },
) {
  return readPages<Revision>(
    {
      order: byTime("desc"),
      parentIds,
      parentOf: (revision) => revision.postId,
      find: (slice) =>
        queueIfLong(withTexts, ctx.origin, () =>
          ctx.queries.revisions(parentIds, toTimeSlice(slice), withTexts),
        ),
    },
    pageArgs,
  );
}

export const countRevisionsOf = (ctx: ReadCtx, postIds: readonly string[]) =>
  ctx.queries.countRevisions(postIds);

/**
 * Gives the post the title and text of a revision, and its category unless that was deleted since. The replaced state
 * becomes a revision.
 * @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, FORBIDDEN, RATE_LIMITED
 */
export function restoreRevision<W extends PostSelection>(
  ctx: Ctx,
  id: string,
  selection: W,
): Promise<PostPayload<W>> {
  return asViewer(ctx, async (viewer) => {
    const revision = await ctx.db.revision.findUnique({ where: { id: parseId(id) } });
    if (!revision) throw notFound("revision");
    const post = await requireOwnPost(ctx, revision.postId, {});
    const { title, description } = revision;
    const category = await ctx.db.category.findUnique({ where: { titleKey: nameKey(revision.category) } });
    const content = { title, description, category: category?.title ?? post.category };
    return replaceContent(ctx, viewer, { post, changes: content, selection });
  });
}
