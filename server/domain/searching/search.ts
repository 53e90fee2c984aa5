import { badInput } from "../../errors.ts";
import { SEARCH } from "../../limits.ts";
import { MAX_FIRST } from "../lists/connections.ts";
import type { ReadCtx } from "../context.ts";
import { queueSearch } from "../lists/lists.ts";
import { readPostsById } from "../posts/posts.ts";
import type { Category, PostPayload, PostSelection, Profile, SearchKey, Tag } from "../post-selection.ts";
import { highlight, highlightExcerpt, wordsToMark, type MarkedWord, type TextPart } from "./highlights.ts";
import { parseQuery } from "./parse-query.ts";

export type SearchPageArgs = { page?: number | null; first?: number | null; after?: string | null };

type FoundPost = PostPayload<object>;

export type SearchHit = { cursor: string } & (
  | { kind: "Post"; node: FoundPost }
  | { kind: "Profile"; node: Profile }
  | { kind: "Category"; node: Category }
  | { kind: "Tag"; node: Tag }
);

/** More rows than any search finds, and few enough for an SQL integer. */
const MAX_CURSOR_OFFSET = 10_000;

/**
 * Posts, authors, categories and tags, the best first: names before titles before texts, newer before older. Where few have
 * all words, names that resemble them follow; where none has, posts with some of them.
 * @param selection with the description if excerpts are needed
 * @throws BAD_USER_INPUT as `parseQuery`, and for an invalid page, size or cursor; UNAVAILABLE
 */
export async function search<W extends PostSelection>(
  ctx: ReadCtx,
  given: string,
  pageArgs: SearchPageArgs,
  selection: W,
) {
  const query = parseQuery(given);
  const slice = sliceOf(pageArgs);
  const found = await queueSearch(() => ctx.queries.search(query, slice), ctx.origin);
  const total = Math.min(found.total, SEARCH.counted);
  return {
    marked: wordsToMark(query),
    hits: await readHits(ctx, found.keys, { skip: slice.skip, selection }),
    totalCount: total,
    isTotalExact: found.total <= SEARCH.counted && !found.isCut,
    isNearest: found.isNearest && total > 0,
    pageSize: slice.take,
    hasNextPage: slice.skip + slice.take < total,
    hasPreviousPage: slice.skip > 0,
  };
}

function sliceOf({ page, first, after }: SearchPageArgs): { skip: number; take: number } {
  const take = first ?? SEARCH.page;
  if (take < 1 || take > MAX_FIRST) throw badInput(`"first" must be between 1 and ${MAX_FIRST}`);
  if (page != null && after != null) throw badInput('"page" excludes cursors');
  if (page != null && page < 1) throw badInput('"page" must be a positive whole number');
  const skip = after != null ? parseCursor(after) : ((page ?? 1) - 1) * take;
  return { take, skip: Math.min(skip, MAX_CURSOR_OFFSET) };
}

/** Ranks have no key: a cursor is the number of results up to it. */
const cursorOf = (position: number) => Buffer.from(`search_${position}`).toString("base64url");

function parseCursor(cursor: string): number {
  const [, position] = /^search_(\d{1,4})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (!position) throw badInput("invalid cursor");
  return Number(position);
}

async function readHits<W extends PostSelection>(
  ctx: ReadCtx,
  keys: SearchKey[],
  { skip, selection }: { skip: number; selection: W },
): Promise<SearchHit[]> {
  const idsOf = (kind: SearchKey["kind"]) => keys.filter((key) => key.kind === kind).map(({ id }) => id);
  const [postIds, profileIds, categoryIds] = [idsOf("Post"), idsOf("Profile"), idsOf("Category")];
  const tagIds = idsOf("Tag");
  const [posts, profiles, categories, tags] = await Promise.all([
    postIds.length ? readPostsById(ctx, postIds, selection) : [],
    profileIds.length ? ctx.queries.profiles(profileIds) : new Map<string, Profile>(),
    categoryIds.length ? ctx.queries.categoriesById(categoryIds) : [],
    tagIds.length ? ctx.queries.tagsById(tagIds) : [],
  ]);
  const byId = <T extends { id: string }>(rows: T[]) => new Map(rows.map((row) => [row.id, row]));
  const names = { Profile: profiles, Category: byId(categories), Tag: byId(tags) };
  const rows = { Post: byId(posts as FoundPost[]), ...names };
  return keys.flatMap(({ kind, id }, index) => {
    const node = rows[kind].get(id);
    return node ? [{ kind, node, cursor: cursorOf(skip + index + 1) } as SearchHit] : [];
  });
}

export const highlightTitle = (words: MarkedWord[], hit: SearchHit): TextPart[] =>
  highlight(nameOf(hit), words);

function nameOf({ kind, node }: SearchHit): string {
  if (kind === "Profile") return node.username;
  return kind === "Tag" ? node.name : node.title;
}

export function highlightText(words: MarkedWord[], hit: SearchHit): TextPart[] {
  if (hit.kind === "Category" || hit.kind === "Tag") return [];
  const text = hit.kind === "Profile" ? hit.node.bio : hit.node.description;
  return highlightExcerpt(text ?? "", words);
}
