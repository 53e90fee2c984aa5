import type { Ctx, ReadCtx } from "../context.ts";
import { BlogError, notFound } from "../../errors.ts";
import { byTime, toTimeSlice, readPages, type ConnectionArgs, type RowSlice } from "../lists/connections.ts";
import { parseId } from "../input.ts";
import { queueIfDeep, queueIfLong } from "../lists/lists.ts";
import { asViewer } from "../permissions.ts";
import type { Post } from "./posts.ts";
import { postContent, selectsTexts, type PostPayload, type PostSelection } from "../post-selection.ts";
import { mapConstraintError } from "../constraint-errors.ts";
import { limitWrites } from "../write-limits.ts";
import type { Likes } from "../ports.ts";

/** Idempotent. @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND */
export const likePost = (ctx: Ctx, id: string, selection: PostSelection = {}): Promise<Post> =>
  setLike(ctx, ctx.likes.add, id, selection);

/** @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND */
export const unlikePost = (ctx: Ctx, id: string, selection: PostSelection = {}): Promise<Post> =>
  setLike(ctx, ctx.likes.remove, id, selection);

function setLike(ctx: Ctx, write: Likes["add"], id: string, selection: PostSelection): Promise<Post> {
  return asViewer(ctx, async (viewer) => {
    const postId = parseId(id);
    const { post } = await limitWrites(ctx, "likes", () =>
      writeLike(ctx, { write, postId, userId: viewer.id }, withoutLikes(selection)),
    );
    ctx.invalidate(`post:${postId}`);
    return post;
  });
}

type LikeWrite = { write: Likes["add"]; postId: string; userId: string };

/** A network that reads long texts waits for its turn before the write, since one statement does both. */
async function writeLike<W extends PostSelection>(
  { origin }: Ctx,
  { write, postId, userId }: LikeWrite,
  selection: W,
) {
  let hasChanged = false;
  const writeAndRead = async () => {
    const written = await write(postId, userId, selection).catch(
      mapConstraintError("reference", () => notFound("post")),
    );
    if (!written) throw notFound("post");
    ({ hasChanged } = written);
    return written.post;
  };
  const post = await queueIfLong(selectsTexts(selection), origin, writeAndRead);
  return { post, hasChanged };
}

/** The writing statement sees the snapshot before its write, so it cannot select the likes. */
function withoutLikes(selection: PostSelection): PostSelection {
  const { likers, likeCount, ...others } = selection;
  return likers || likeCount ? others : selection;
}

const toggled = { ...postContent, tags: true, likers: true } as const;

/**
 * Likes a post, or unlikes it if it is liked already.
 * @returns the post and the ids of its likers after this toggle
 * @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, UNAVAILABLE
 */
export function toggleLike(
  ctx: Ctx,
  id: string,
): Promise<{ post: PostPayload<typeof toggled>; likes: string[] }> {
  return asViewer(ctx, async (viewer) => {
    const postId = parseId(id);
    const { post, isLiked } = await limitWrites(ctx, "likes", () => addOrRemove(ctx, postId, viewer.id));
    ctx.invalidate(`post:${postId}`);
    const others = post.likers.filter((userId) => userId !== viewer.id);
    return { post, likes: isLiked ? [...others, viewer.id] : others };
  });
}

const MAX_ATTEMPTS = 10;

/**
 * A single statement could lose a concurrent toggle, since its snapshot precedes its wait for the other. Of two, neither
 * changes a row if other toggles of the user commit in between.
 */
async function addOrRemove(ctx: Ctx, postId: string, userId: string) {
  const { add, remove } = ctx.likes;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const added = await writeLike(ctx, { write: add, postId, userId }, toggled);
    if (added.hasChanged) return { post: added.post, isLiked: true };
    const removed = await writeLike(ctx, { write: remove, postId, userId }, toggled);
    if (removed.hasChanged) return { post: removed.post, isLiked: false };
  }
  throw new BlogError("UNAVAILABLE", "too many likes at once, please try again", { retryAfter: 1 });
}

export const findLikers = (ctx: ReadCtx, postIds: readonly string[]) =>
  ctx.queries.computed("likers", postIds);

/** Reads the same page of likes for several posts, earliest first. The `id` of a row is that of the account. */
export async function readLikesOfMany(ctx: ReadCtx, postIds: readonly string[], pageArgs: ConnectionArgs) {
  const find = async (slice: RowSlice) => {
    const likes = await ctx.queries.likes(postIds, toTimeSlice(slice));
    return likes.map(({ postId, userId, createdAt }) => ({ id: userId, postId, createdAt }));
  };
  return readPages<{ id: string; postId: string; createdAt: Date }>(
    {
      order: byTime("asc"),
      parentIds: postIds,
      parentOf: (like) => like.postId,
      find: (slice) => queueIfDeep(slice.skip, ctx.origin, () => find(slice)),
    },
    pageArgs,
  );
}

/** The subset of `postIds` that the viewer likes; empty without a viewer. */
export async function findViewerLikes(ctx: ReadCtx, postIds: readonly string[]): Promise<Set<string>> {
  return ctx.viewer ? ctx.queries.likedBy(ctx.viewer.id, postIds) : new Set();
}
