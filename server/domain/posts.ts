import type { Ctx } from "./context.ts";
import { notFound } from "../errors.ts";
import { type Post, type PostFilter, type PostPayload, type PostSelection } from "./post-selection.ts";
import {
  byTime,
  inTime,
  readConnection,
  readConnections,
  type Order,
  type ConnectionArgs,
} from "./connections.ts";
import { parseId, parseSearchText } from "./input.ts";
import {
  countOnce,
  inTurn,
  inTurnIfDeep,
  readInChunks,
  readList,
  type ListQuery,
  listQueryParser,
} from "./lists.ts";
import { parseFullText } from "./full-text-search.ts";

export type { Post };

const parseQuery = listQueryParser(["createdAt", "title", "author"], "-createdAt");

type PostFilterArgs = { category?: string | null | undefined; author?: string | null | undefined };

/** @throws BAD_USER_INPUT */
const parseFilter = ({ category, author }: PostFilterArgs): PostFilter => ({
  ...(category != null && { category: parseSearchText("category", category) }),
  ...(author != null && { author: parseId(author) }),
});

const isFiltered = (filter: PostFilter) => Object.keys(filter).length > 0;

/**
 * Posts, newest first unless sorted; `search` is words of the title or the text.
 * @param wanted what to read along with them
 * @throws BAD_USER_INPUT
 */
export function readPosts<W extends PostSelection>(
  ctx: Ctx,
  asked: PostFilterArgs & ListQuery,
  window: ConnectionArgs,
  wanted: W,
) {
  const { search, order } = parseQuery(asked);
  const filter = parseFilter(asked);
  if (search || !order.isByTime) return findPosts(ctx, { filter, search, order }, window, wanted);
  return readConnection<PostPayload<W>>(
    {
      order,
      find(slice) {
        const read = () => ctx.queries.posts(filter, inTime(slice), wanted);
        // Far down the list of all posts an index of days is used.
        return isFiltered(filter) ? inTurnIfDeep(slice.skip, ctx.origin, read) : read();
      },
      count: () => countPosts(ctx, asked),
    },
    window,
  );
}

type Found = { filter: PostFilter; search: string; order: Order };

function findPosts<W extends PostSelection>(
  ctx: Ctx,
  { filter, search, order }: Found,
  window: ConnectionArgs,
  wanted: W,
) {
  const words = search ? parseFullText(search) : null;
  const selection = { list: "posts", filter, search: words } as const;
  return readList<PostPayload<W>>(ctx, { selection, order }, window, (ids) =>
    ctx.queries.postsById(ids, wanted),
  );
}

/** The same window of several authors' posts, newest first. */
export function readPostsOfMany<W extends PostSelection>(
  ctx: Ctx,
  authorIds: readonly string[],
  window: ConnectionArgs,
  wanted: W,
) {
  return readConnections<PostPayload<W>>(
    {
      order: byTime("desc"),
      parentIds: authorIds,
      parentOf: (post) => post.userId,
      find: (slice) =>
        inTurnIfDeep(slice.skip, ctx.origin, () => ctx.queries.postsOf(authorIds, inTime(slice), wanted)),
      countAll: (ids) => countOnce(ctx, "posts", ids, () => ctx.queries.countPostsOf(ids)),
    },
    window,
  );
}

export const readPostsById = <W extends PostSelection>(ctx: Ctx, ids: readonly string[], wanted: W) =>
  ctx.queries.postsById(ids, wanted);

/** Every post, newest first, chunk by chunk: memory does not grow with their number. */
export function readAllPosts<W extends PostSelection>(ctx: Ctx, asked: PostFilterArgs, wanted: W) {
  const filter = parseFilter(asked);
  return readInChunks<PostPayload<W>>(ctx, { list: "posts", filter, search: null }, (ids) =>
    ctx.queries.postsById(ids, wanted),
  );
}

/** The newest that one account wrote. */
export const readFirstPostsOf = <W extends PostSelection>(
  ctx: Ctx,
  userId: string,
  take: number,
  wanted: W,
) => ctx.queries.posts({ author: userId }, { cursor: null, skip: 0, take, direction: "desc" }, wanted);

/** How many there are, in all or of a category. @throws BAD_USER_INPUT */
export async function countPosts(ctx: Ctx, args: PostFilterArgs = {}): Promise<number> {
  const filter = parseFilter(args);
  const count = () => ctx.queries.countPosts(filter);
  // All of them are counted by the day; of a category or an author each row is.
  return isFiltered(filter) ? inTurn(count, ctx.origin) : count();
}

/** @param wanted what to read along with it. @throws BAD_USER_INPUT `invalid id`, NOT_FOUND */
export async function readPost<W extends PostSelection>(
  ctx: Ctx,
  id: string,
  wanted: W,
): Promise<PostPayload<W>> {
  const [post] = await ctx.queries.postsById([parseId(id)], wanted);
  if (!post) throw notFound("post");
  return post;
}
