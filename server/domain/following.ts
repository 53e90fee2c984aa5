import { badInput, notFound } from "../errors.ts";
import { MAX_FOLLOWS } from "../limits.ts";
import { mapConstraintError } from "./constraint-errors.ts";
import type { Ctx, ReadCtx } from "./context.ts";
import { parseId } from "./input.ts";
import { byTime, toTimeSlice, readConnection, type ConnectionArgs } from "./lists/connections.ts";
import { queueSearch } from "./lists/lists.ts";
import type { NodeKey } from "./lists/nodes.ts";
import { asViewer, requireViewer } from "./permissions.ts";
import type { PostPayload, PostSelection } from "./post-selection.ts";
import { readSelected } from "./posts/posts.ts";
import { limitWrites } from "./write-limits.ts";

const columns = { Profile: "profileId", Category: "categoryId", Tag: "tagId" } as const;

type Followed = NodeKey & { type: keyof typeof columns };

/** @throws BAD_USER_INPUT, NOT_FOUND also for an object that nobody can follow */
async function findFollowable({ queries }: Ctx, given: string): Promise<Followed> {
  const id = parseId(given);
  const type = (await queries.nodeTypes([id])).get(id);
  if (type !== "Profile" && type !== "Category" && type !== "Tag") throw notFound("author, category or tag");
  return { id, type };
}

/**
 * Follows the posts of an author, of a category or with a tag. Idempotent.
 * @throws UNAUTHENTICATED, BAD_USER_INPUT if the account follows the most, or itself, NOT_FOUND, RATE_LIMITED
 */
export function follow(ctx: Ctx, id: string): Promise<Followed> {
  return asViewer(ctx, async (viewer) => {
    const followed = await findFollowable(ctx, id);
    if (followed.id === viewer.id) throw badInput("you cannot follow yourself");
    await limitWrites(ctx, "follows", () => insertFollow(ctx, viewer.id, followed));
    return followed;
  });
}

/** Idempotent. @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, RATE_LIMITED */
export function unfollow(ctx: Ctx, id: string): Promise<Followed> {
  return asViewer(ctx, async (viewer) => {
    const followed = await findFollowable(ctx, id);
    const where = { userId: viewer.id, [columns[followed.type]]: followed.id };
    await limitWrites(ctx, "follows", () => ctx.db.follow.deleteMany({ where }));
    return followed;
  });
}

async function insertFollow(ctx: Ctx, userId: string, { id, type }: Followed): Promise<void> {
  const row = { userId, [columns[type]]: id };
  await ctx.db.$transaction(async (tx) => {
    // The lock keeps concurrent requests from exceeding the number of follows.
    if (!(await ctx.locks.lockAccount(tx, userId))) throw notFound("user");
    if ((await tx.follow.count({ where: row })) > 0) return;
    if ((await tx.follow.count({ where: { userId } })) >= MAX_FOLLOWS)
      throw badInput(`an account follows at most ${MAX_FOLLOWS}, please unfollow some`);
    await tx.follow
      .create({ data: { ...row, createdAt: ctx.now() } })
      .catch(mapConstraintError("reference", () => notFound("author, category or tag")));
  });
}

/** The posts that the viewer follows, newest first. @throws UNAUTHENTICATED, BAD_USER_INPUT, UNAVAILABLE */
export function readFollowedPosts<W extends PostSelection>(
  ctx: ReadCtx,
  pageArgs: ConnectionArgs,
  selection: W,
) {
  const { id } = requireViewer(ctx);
  return readConnection<PostPayload<W>>(
    {
      order: byTime("desc"),
      find: (slice) =>
        readSelected(ctx, selection, () =>
          queueSearch(() => ctx.queries.followedPosts(id, toTimeSlice(slice), selection), ctx.origin),
        ),
      count: () => queueSearch(() => ctx.queries.countFollowedPosts(id), ctx.origin),
    },
    pageArgs,
  );
}

export async function findFollowed(ctx: ReadCtx): Promise<Set<string>> {
  return ctx.viewer ? ctx.queries.followedBy(ctx.viewer.id) : new Set();
}
