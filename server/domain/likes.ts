import type { Ctx } from "./context.ts";
import { notFound } from "../errors.ts";
import { parseId } from "./input.ts";
import { asViewer } from "./permissions.ts";
import { readPost, type Post } from "./posts.ts";
import {
  computedFields,
  postContent,
  type ComputedField,
  type PostPayload,
  type PostSelection,
} from "./post-selection.ts";
import { mapConstraintError } from "./constraint-errors.ts";
import { limitWrites } from "./write-limits.ts";
import type { Likes, Tx } from "./ports.ts";

/** Likes once, however often it is called. @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND */
export const likePost = (ctx: Ctx, id: string, wanted: PostSelection = {}): Promise<Post> =>
  writeLike(ctx, ctx.likes.add, id, wanted);

/** @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND */
export const unlikePost = (ctx: Ctx, id: string, wanted: PostSelection = {}): Promise<Post> =>
  writeLike(ctx, ctx.likes.remove, id, wanted);

function writeLike(ctx: Ctx, write: Likes["add"], id: string, wanted: PostSelection): Promise<Post> {
  return asViewer(ctx, async (viewer) => {
    const postId = parseId(id);
    const post = await limitWrites(ctx, "likes", async () => {
      const liked = await write(postId, viewer.id, withoutComputed(wanted)).catch(
        mapConstraintError("reference", notFound("post")),
      );
      if (!liked) throw notFound("post");
      return liked;
    });
    ctx.invalidate(`post:${postId}`);
    return post;
  });
}

/** Read by the statement that writes, they would be those of before. */
function withoutComputed(selection: PostSelection): PostSelection {
  if (!computedFields.some((field) => selection[field])) return selection;
  return Object.fromEntries(
    Object.entries(selection).filter(([part]) => !computedFields.includes(part as ComputedField)),
  );
}

/**
 * Likes or unlikes in one step. The user's own row is locked first, so that two toggles of one user
 * never see the same state: each acknowledged toggle counts.
 * @returns the post and the users who like it, as this toggle left them
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

/** Who likes each of these posts, earliest first. */
export const findLikers = (ctx: Ctx, postIds: readonly string[]) => ctx.queries.computed("likers", postIds);

/** Which of these posts the viewer likes; none for a visitor. */
export async function findViewerLikes(ctx: Ctx, postIds: readonly string[]): Promise<Set<string>> {
  return ctx.viewer ? ctx.queries.likedBy(ctx.viewer.id, postIds) : new Set();
}
