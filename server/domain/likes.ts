import type { Ctx } from "./context.ts";
import { notFound } from "../errors.ts";
import { parseId } from "./input.ts";
import { asViewer } from "./permissions.ts";
import { readPost, type Post } from "./posts.ts";
import { postContent, type PostPayload, type PostSelection } from "./post-selection.ts";
import { mapConstraintError } from "./constraint-errors.ts";
import { limitWrites } from "./write-limits.ts";
import type { Likes, Tx } from "./ports.ts";

/** Idempotent. @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND */
export const likePost = (ctx: Ctx, id: string, selection: PostSelection = {}): Promise<Post> =>
  writeLike(ctx, ctx.likes.add, id, selection);

/** @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND */
export const unlikePost = (ctx: Ctx, id: string, selection: PostSelection = {}): Promise<Post> =>
  writeLike(ctx, ctx.likes.remove, id, selection);

function writeLike(ctx: Ctx, write: Likes["add"], id: string, selection: PostSelection): Promise<Post> {
  return asViewer(ctx, async (viewer) => {
    const postId = parseId(id);
    const post = await limitWrites(ctx, "likes", async () => {
      const liked = await write(postId, viewer.id, withoutLikes(selection)).catch(
        mapConstraintError("reference", notFound("post")),
      );
      if (!liked) throw notFound("post");
      return liked;
    });
    ctx.invalidate(`post:${postId}`);
    return post;
  });
}

/** The writing statement sees the snapshot before its write, so it cannot select the likes. */
function withoutLikes(selection: PostSelection): PostSelection {
  const { likers, likeCount, ...others } = selection;
  return likers || likeCount ? others : selection;
}

/**
 * Likes or unlikes a post. The lock on the user's row serializes concurrent toggles of one user.
 * @returns the post and the ids of its likers after this toggle
 * @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND
 */
export function toggleLike(
  ctx: Ctx,
  id: string,
): Promise<{ post: PostPayload<typeof postContent>; likes: string[] }> {
  return asViewer(ctx, async (viewer) => {
    const like = { postId: parseId(id), userId: viewer.id };
    const likes = await limitWrites(ctx, "likes", () =>
      ctx.db.$transaction(async (tx) => {
        await ctx.locks.lockAccount(tx, viewer.id);
        const { count } = await tx.like.deleteMany({ where: like });
        if (count === 0) await addLike(tx, like);
        return tx.like.findMany({
          where: { postId: like.postId },
          orderBy: byTime,
          select: { userId: true },
        });
      }),
    );
    ctx.invalidate(`post:${like.postId}`);
    return { post: await readPost(ctx, id, postContent), likes: likes.map((row) => row.userId) };
  });
}

const byTime = [{ createdAt: "asc" as const }, { userId: "asc" as const }];

const addLike = (tx: Tx, like: { postId: string; userId: string }) =>
  tx.like
    .createMany({ data: like, skipDuplicates: true })
    .catch(mapConstraintError("reference", notFound("post")));

export const findLikers = (ctx: Ctx, postIds: readonly string[]) => ctx.queries.computed("likers", postIds);

/** The subset of `postIds` that the viewer likes; empty without a viewer. */
export async function findViewerLikes(ctx: Ctx, postIds: readonly string[]): Promise<Set<string>> {
  return ctx.viewer ? ctx.queries.likedBy(ctx.viewer.id, postIds) : new Set();
}
