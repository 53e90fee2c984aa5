import { badInput, notFound } from "../../errors.ts";
import { MAX_BOOKMARKS } from "../../limits.ts";
import { mapConstraintError } from "../constraint-errors.ts";
import type { Ctx, ReadCtx } from "../context.ts";
import { parseId } from "../input.ts";
import { byTime, toTimeSlice, readConnection, type ConnectionArgs } from "../lists/connections.ts";
import { asViewer, requireViewer } from "../permissions.ts";
import type { RowKey, PostSelection } from "../post-selection.ts";
import { limitWrites } from "../write-limits.ts";
import { readPost, type Post } from "./posts.ts";

/**
 * Idempotent: a repeated request keeps the time of the first.
 * @throws UNAUTHENTICATED, BAD_USER_INPUT if the account has the most bookmarks, NOT_FOUND, RATE_LIMITED
 */
export function bookmarkPost(ctx: Ctx, id: string, selection: PostSelection = {}): Promise<Post> {
  return asViewer(ctx, async (viewer) => {
    const postId = parseId(id);
    await limitWrites(ctx, "bookmarks", () => insertBookmark(ctx, { userId: viewer.id, postId }));
    return readPost(ctx, postId, selection);
  });
}

/** Idempotent. @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, RATE_LIMITED */
export function removeBookmark(ctx: Ctx, id: string, selection: PostSelection = {}): Promise<Post> {
  return asViewer(ctx, async (viewer) => {
    const postId = parseId(id);
    await limitWrites(ctx, "bookmarks", () =>
      ctx.db.bookmark.deleteMany({ where: { userId: viewer.id, postId } }),
    );
    return readPost(ctx, postId, selection);
  });
}

async function insertBookmark(ctx: Ctx, key: { userId: string; postId: string }): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    if (!(await ctx.locks.lockAccount(tx, key.userId))) throw notFound("user");
    if (await tx.bookmark.findUnique({ where: { userId_postId: key } })) return;
    if ((await tx.bookmark.count({ where: { userId: key.userId } })) >= MAX_BOOKMARKS)
      throw badInput(`an account has at most ${MAX_BOOKMARKS} bookmarks, please remove some`);
    await tx.bookmark
      .create({ data: { ...key, createdAt: ctx.now() } })
      .catch(mapConstraintError("reference", () => notFound("post")));
  });
}

/** The viewer's bookmarks, latest first. The `id` of a row is that of the post. @throws UNAUTHENTICATED, BAD_USER_INPUT */
export function readBookmarks(ctx: ReadCtx, pageArgs: ConnectionArgs) {
  const { id } = requireViewer(ctx);
  return readConnection<RowKey>(
    {
      order: byTime("desc"),
      find: (slice) => ctx.queries.bookmarks(id, toTimeSlice(slice)),
      count: () => ctx.queries.countBookmarks(id),
    },
    pageArgs,
  );
}

/** The subset of `postIds` that the viewer has saved; empty without a viewer. */
export async function findViewerBookmarks(ctx: ReadCtx, postIds: readonly string[]): Promise<Set<string>> {
  return ctx.viewer ? ctx.queries.bookmarkedBy(ctx.viewer.id, postIds) : new Set();
}
