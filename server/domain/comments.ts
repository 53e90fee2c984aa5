import { z } from "zod";
import type { Ctx, ReadCtx, Viewer } from "./context.ts";
import { badInput, forbidden, notFound } from "../errors.ts";
import { LENGTHS } from "../limits.ts";
import type { Comment } from "./post-selection.ts";
import {
  byTime,
  pageOfPrefetched,
  toTimeSlice,
  readPages,
  sliceOf,
  type ConnectionArgs,
  type Page,
} from "./lists/connections.ts";
import { parseId, parseInput, prose } from "./input.ts";
import {
  queueIfDeep,
  queueIfLong,
  isDeep,
  inOneGroup,
  readInChunks,
  readList,
  type ListQuery,
  listQueryParser,
  nameSearch,
} from "./lists/lists.ts";
import { asViewer, canDelete, canEdit, requireAdmin } from "./permissions.ts";
import { readPost, tagsOfComments } from "./posts/posts.ts";
import { mapConstraintError } from "./constraint-errors.ts";
import { createOnce } from "./idempotency.ts";
import { consumeOrThrow, rateLimits } from "./accounts/rate-limits.ts";
import { limitDeletions, limitTextWrites } from "./write-limits.ts";

export type { Comment };

export const commentText = z.strictObject({
  text: prose(...LENGTHS.comment).meta({ examples: ["Well said."] }),
});

export const commentInput = commentText.extend({
  postId: z
    .string()
    .trim()
    .min(1)
    .meta({ examples: ["0193a1c2-7d3e-7b4a-9c58-2f6e1d0a4b37"] }),
});

const commentedPost = z.looseObject({ postId: commentInput.shape.postId });

export function readCommentsOfMany(ctx: ReadCtx, postIds: readonly string[], pageArgs: ConnectionArgs) {
  return readPages<Comment>(
    {
      order: byTime("asc"),
      parentIds: postIds,
      parentOf: (comment) => comment.postId,
      horizon: () => ctx.queries.horizon("comments"),
      find: (slice) =>
        queueIfLong(true, ctx.origin, () =>
          queueIfDeep(slice.skip, ctx.origin, () => ctx.queries.comments(postIds, toTimeSlice(slice))),
        ),
    },
    pageArgs,
  );
}

/**
 * @returns null for a deep offset, whose query must go through the bulkhead, and behind a cursor, where young comments are
 * held back
 * @throws BAD_USER_INPUT
 */
export function sliceOfComments(pageArgs: ConnectionArgs) {
  const slice = sliceOf(byTime("asc"), pageArgs);
  return isDeep(slice.skip) || (slice.cursor && slice.direction === "asc") ? null : slice;
}

/** Makes a page of comments that were prefetched with their post. */
export const pageOfComments = (comments: Comment[], pageArgs: ConnectionArgs) =>
  pageOfPrefetched(comments, byTime("asc"), pageArgs);

/** Ends a page before its texts have more than `characters`. @throws BAD_USER_INPUT */
export function endedBy(
  page: Page<Comment>,
  { characters, page: number, last, before }: ConnectionArgs & { characters?: number | null },
): Page<Comment> {
  if (characters == null) return page;
  if (characters < 1 || number != null || last != null || before != null)
    throw badInput('"characters" is at least 1, and not for pages by number, "last" or "before"');
  const { nodes } = page;
  let length = 0;
  const end = nodes.findIndex(({ text }, index) => (length += text.length) > characters && index > 0);
  return end === -1 ? page : { ...page, nodes: nodes.slice(0, end), hasNextPage: true };
}

export const firstComments = (take: number) =>
  ({ cursor: null, skip: 0, take, direction: "asc", author: "summary" }) as const;

const CHUNK = 50;

export async function* readAllCommentsOf(ctx: ReadCtx, postId: string): AsyncGenerator<Comment[]> {
  for (let cursor: Comment | null = null; ;) {
    const slice = { cursor, skip: 0, take: CHUNK, direction: "asc" } as const;
    const comments: Comment[] = await ctx.queries.comments([postId], slice);
    if (comments.length > 0) yield comments;
    if (comments.length < CHUNK) return;
    cursor = comments.at(-1) ?? null;
  }
}

const parseQuery = listQueryParser(["createdAt", "author", "text"], "-createdAt");

/**
 * All users' comments, newest first by default; `search` matches part of the text or of the author's name.
 * @throws UNAUTHENTICATED, FORBIDDEN, BAD_USER_INPUT
 */
export function readComments(ctx: ReadCtx, query: ListQuery, pageArgs: ConnectionArgs) {
  requireAdmin(ctx);
  const { search, order } = parseQuery(query);
  const selection = { list: "comments", search: nameSearch(search) } as const;
  return readList<Comment>(ctx, { selection, order }, pageArgs, ctx.queries.commentsById);
}

/** Yields every comment in chunks, newest first. @throws UNAUTHENTICATED, FORBIDDEN */
export function readAllComments(ctx: ReadCtx): AsyncGenerator<Comment[]> {
  requireAdmin(ctx);
  return readInChunks(ctx, { list: "comments", search: null }, inOneGroup(ctx.queries.commentsById));
}

/** @throws UNAUTHENTICATED, FORBIDDEN */
export async function countAllComments(ctx: ReadCtx): Promise<number> {
  requireAdmin(ctx);
  return ctx.queries.countList({ list: "comments", search: null });
}

/** @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, CONFLICT as createOnce */
export const createComment = (ctx: Ctx, fields: unknown): Promise<Comment> =>
  asViewer(ctx, (viewer) =>
    createOnce<Comment>(ctx, viewer, {
      operation: "createComment",
      parse: () => commentInput.safeParse(fields).data,
      create: (id) => insertComment(ctx, viewer, fields, id),
      find: (id) => ctx.db.comment.findUnique({ where: { id } }),
    }),
  );

async function insertComment(ctx: Ctx, viewer: Viewer, fields: unknown, id?: string): Promise<Comment> {
  // A missing post is reported before invalid fields, as in routes that have the post id in the path.
  const named = commentedPost.safeParse(fields);
  const { postId } = named.success ? named.data : parseInput(commentInput, fields);
  const post = await readPost(ctx, postId, {});
  const input = parseInput(commentInput, fields);
  const content = { text: input.text, postId: post.id, userId: viewer.id, createdAt: ctx.now() };
  const comment = await limitTextWrites(ctx, "comments", () =>
    ctx.db
      .$transaction(async (tx) => {
        await ctx.locks.shareLockAccount(tx, viewer.id);
        return tx.comment.create({ data: { ...content, ...(id && { id }) } });
      })
      .catch(mapConstraintError("reference", () => notFound("post"))),
  );
  ctx.invalidate(`post:${post.id}`);
  return comment;
}

/** @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, FORBIDDEN */
export function updateComment(ctx: Ctx, id: string, fields: unknown): Promise<Comment> {
  return asViewer(ctx, async () => {
    const comment = await requireComment(ctx, id);
    if (!canEdit(ctx, comment)) throw forbidden("access denied, only user himself can edit his comment");
    const input = parseInput(commentText, fields);
    await consumeOrThrow(ctx, rateLimits.removals("comments", ctx.origin));
    const changed = await limitTextWrites(ctx, "comments", () =>
      ctx.db.comment
        .update({ where: { id: comment.id }, data: { text: input.text } })
        .catch(mapConstraintError("missing", () => notFound("comment"))),
    );
    ctx.invalidate(...tagsOfComments(comment.postId));
    return changed;
  });
}

/** @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, FORBIDDEN */
export function deleteComment(ctx: Ctx, id: string) {
  return asViewer(ctx, async () => {
    const comment = await requireComment(ctx, id);
    if (!canDelete(ctx, comment)) throw forbidden("access denied, not allowed");
    await limitDeletions(ctx, "comments", async () => {
      const { count } = await ctx.db.comment.deleteMany({ where: { id: comment.id } });
      if (count === 0) throw notFound("comment");
    });
    ctx.invalidate(...tagsOfComments(comment.postId));
    return { id: comment.id, message: "comment has been deleted" };
  });
}

async function requireComment(ctx: Ctx, id: string): Promise<Comment> {
  const comment = await ctx.db.comment.findUnique({ where: { id: parseId(id) } });
  if (!comment) throw notFound("comment");
  return comment;
}
