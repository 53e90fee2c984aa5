import type { ReadCtx } from "../context.ts";
import { badInput, notFound } from "../../errors.ts";
import { LENGTHS } from "../../limits.ts";
import {
  selectsTexts,
  type Post,
  type PostFilter,
  type PostPayload,
  type PostSelection,
} from "../post-selection.ts";
import {
  byTime,
  toTimeSlice,
  readConnection,
  readPages,
  type Row,
  type Order,
  type ConnectionArgs,
} from "../lists/connections.ts";
import { parseId, parseSearchText, parseTime } from "../input.ts";
import {
  findInOrder,
  queueSearch,
  queueGroup,
  queueIfDeep,
  queueIfLong,
  readInChunks,
  readList,
  type ListQuery,
  listQueryParser,
} from "../lists/lists.ts";
import { searchedTagKey } from "./tag-names.ts";
import { parseFullText } from "../lists/full-text-search.ts";

/** The tags of a change of a post, but not of its likes or comments. */
export const tagsOfContent = (id: string) => [`post:${id}`, `content:${id}`, `text:${id}`] as const;
export const tagsOfDeleted = (id: string) => [`post:${id}`, `content:${id}`, `deleted:${id}`] as const;
export const tagsOfComments = (id: string) => [`post:${id}`, `comments:${id}`] as const;

export type { Post };

const parseQuery = listQueryParser(["createdAt", "title", "author"], "-createdAt");

type PostFilterArgs = {
  category?: string | null | undefined;
  author?: string | null | undefined;
  /** Any spelling of a tag's name. */
  tag?: string | null | undefined;
  updatedAfter?: Date | null | undefined;
};

/** An order with cursors, instead of `sort`. */
export type PostOrder = { field: "createdAt" | "updatedAt" | "title" | "author"; direction: "asc" | "desc" };

const parseFilter = ({ category, author, tag, updatedAfter }: PostFilterArgs): PostFilter => ({
  ...(category != null && { category: parseCategory(category) }),
  ...(author != null && { author: parseId(author) }),
  ...(tag != null && { tag: searchedTagKey(parseSearchText("tag", tag)) }),
  ...(updatedAfter != null && { updatedAfter: parseTime("updatedAfter", updatedAfter) }),
});

function parseOrder({ sort, search, orderBy }: ListQuery & { orderBy?: PostOrder | null }) {
  const query = parseQuery({ sort, search });
  if (orderBy == null) return query;
  if (sort != null) throw badInput('"sort" excludes "orderBy"');
  const isByTime = orderBy.field === "createdAt";
  return { ...query, order: { ...orderBy, isByTime, hasCursors: !isByTime } };
}

/** A longer text is no title, and would only be sent to the database. */
const parseCategory = (title: string) => parseSearchText("category", title).slice(0, LENGTHS.category[1] + 1);

export const readSelected = <W extends PostSelection>(
  { origin }: ReadCtx,
  selection: W,
  read: () => Promise<PostPayload<W>[]>,
) => queueIfLong(selectsTexts(selection), origin, read);

const isFiltered = (filter: PostFilter) => Object.keys(filter).length > 0;

/**
 * Posts, newest first by default; `search` is a full-text search in title and text.
 * @param selection the parts to read with each post
 * @throws BAD_USER_INPUT
 */
export function readPosts<W extends PostSelection>(
  ctx: ReadCtx,
  args: PostFilterArgs & ListQuery & { orderBy?: PostOrder | null },
  pageArgs: ConnectionArgs,
  selection: W,
) {
  const { search, order } = parseOrder(args);
  const filter = parseFilter(args);
  if (search || !order.isByTime || filter.updatedAfter)
    return findPosts(ctx, { filter, search, order }, pageArgs, selection);
  return readConnection<PostPayload<W>>(
    {
      order,
      horizon: () => ctx.queries.horizon("posts"),
      find(slice) {
        const read = () => ctx.queries.posts(filter, toTimeSlice(slice), selection);
        return readSelected(ctx, selection, () => {
          // Several filters have no index together. An unfiltered deep page is cheap: its query uses the daily counts.
          if (Object.keys(filter).length > 1) return queueSearch(read, ctx.origin);
          return isFiltered(filter) ? queueIfDeep(slice.skip, ctx.origin, read) : read();
        });
      },
      count: () => countPosts(ctx, args),
    },
    pageArgs,
  );
}

type Found = { filter: PostFilter; search: string; order: Order };

function findPosts<W extends PostSelection>(
  ctx: ReadCtx,
  { filter, search, order }: Found,
  pageArgs: ConnectionArgs,
  selection: W,
) {
  const fullText = search ? parseFullText(search) : null;
  const rows = { list: "posts", filter, search: fullText } as const;
  const isSync = filter.updatedAfter !== undefined;
  return readList<PostPayload<W>>(ctx, { selection: rows, order, isSync }, pageArgs, (ids) =>
    readPostsById(ctx, ids, selection),
  );
}

/** Reads the same page of posts for several authors, newest first. */
export function readPostsOfMany<W extends PostSelection>(
  ctx: ReadCtx,
  authorIds: readonly string[],
  pageArgs: ConnectionArgs,
  selection: W,
) {
  return readPages<PostPayload<W>>(
    {
      order: byTime("desc"),
      parentIds: authorIds,
      parentOf: (post) => post.userId,
      find: (slice) =>
        readSelected(ctx, selection, () =>
          queueIfDeep(slice.skip, ctx.origin, () =>
            ctx.queries.postsOf(authorIds, toTimeSlice(slice), selection),
          ),
        ),
    },
    pageArgs,
  );
}

/** The same for several titles of categories. */
export function readPostsOfCategories<W extends PostSelection>(
  ctx: ReadCtx,
  titles: readonly string[],
  pageArgs: ConnectionArgs,
  selection: W,
) {
  return readPages<PostPayload<W>>(
    {
      order: byTime("desc"),
      parentIds: titles,
      parentOf: (post) => post.category,
      find: (slice) =>
        readSelected(ctx, selection, () =>
          queueIfDeep(slice.skip, ctx.origin, () =>
            ctx.queries.postsIn(titles, toTimeSlice(slice), selection),
          ),
        ),
    },
    pageArgs,
  );
}

export const countPostsOf = (ctx: ReadCtx, authorIds: readonly string[]) =>
  ctx.queries.countPostsOf(authorIds);

export const readPostsById = <W extends PostSelection>(ctx: ReadCtx, ids: readonly string[], selection: W) =>
  readSelected(ctx, selection, () => ctx.queries.postsById(ids, selection));

/** Bytes of text of one group, which PostgreSQL knows without reading a long text; its JSON has up to six times as many. */
const GROUP_BYTES = 100_000;

/** Reads posts in groups of some 100 kB of text, or of one post. */
export async function* readPostGroups<W extends PostSelection>(
  ctx: ReadCtx,
  keys: readonly Row[],
  selection: W,
): AsyncGenerator<PostPayload<W>[]> {
  const bytes = await ctx.queries.textBytes(keys.map(({ id }) => id));
  const read = (group: Row[]) =>
    queueGroup(ctx.origin, () => findInOrder(group, (ids) => ctx.queries.postsById(ids, selection)));
  let [group, sum]: [Row[], number] = [[], 0];
  for (const key of keys) {
    const own = bytes.get(key.id) ?? 0;
    if (group.length > 0 && sum + own > GROUP_BYTES) {
      yield await read(group);
      [group, sum] = [[], 0];
    }
    group.push(key);
    sum += own;
  }
  if (group.length > 0) yield await read(group);
}

/** Yields every post in chunks, newest first, so that memory use stays constant. */
export function readAllPosts<W extends PostSelection>(ctx: ReadCtx, args: PostFilterArgs, selection: W) {
  const filter = parseFilter(args);
  return readInChunks<PostPayload<W>>(ctx, { list: "posts", filter, search: null }, (keys) =>
    readPostGroups(ctx, keys, selection),
  );
}

/** One object, by which the statement is found. */
const noParts = {};

/** The first posts without their parts. @throws BAD_USER_INPUT */
export const readFirstPosts = (ctx: ReadCtx, args: PostFilterArgs, take: number) =>
  ctx.queries.posts(parseFilter(args), { cursor: null, skip: 0, take, direction: "desc" }, noParts);

/** Counts all posts, or those that match the filter. @throws BAD_USER_INPUT */
export async function countPosts(ctx: ReadCtx, args: PostFilterArgs = {}): Promise<number> {
  const filter = parseFilter(args);
  const count = () => ctx.queries.countPosts(filter);
  return Object.keys(filter).length > 1 ? queueSearch(count, ctx.origin) : count();
}

/** @throws BAD_USER_INPUT `invalid id`, NOT_FOUND */
export async function readPost<W extends PostSelection>(
  ctx: ReadCtx,
  id: string,
  selection: W,
): Promise<PostPayload<W>> {
  const [post] = await readPostsById(ctx, [parseId(id)], selection);
  if (!post) throw notFound("post");
  return post;
}
