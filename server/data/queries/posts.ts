import {
  type Comment,
  type Post,
  type PostFilter,
  type PostPayload,
  type Slice,
  type PostSelection,
} from "../../domain/post-selection.ts";
import { selectedSql } from "./computed-fields.ts";
import { countBy, type RunPrepared } from "./run-prepared.ts";
import {
  authorJson,
  columnsOf,
  joinAuthor,
  jsonObject,
  pictureJson,
  toAuthor,
  type AuthorJson,
} from "./row-json.ts";
import { deepOffsetKeys, isDeepOffset, START } from "./deep-offset.ts";
import { createParams, orderOf, keysetClause } from "./keyset.ts";
import { addTexts, limitedText } from "./post-texts.ts";
import type { Queries } from "../../domain/ports.ts";

type Put = (value: unknown) => string;
type Raw<T> = { [Key in keyof T]: T[Key] extends Date ? string : T[Key] };
type RawComment = Raw<Omit<NonNullable<Post["comments"]>[number], "author">> & { author?: AuthorJson };
type RawPost = Raw<Omit<Post, "author" | "comments">> & { author?: AuthorJson; comments?: RawComment[] };

/** Selects keys first, so that skipped rows need no join. JSON rows parse several times faster than columns. */
export async function runPostQuery<W extends PostSelection>(
  runPrepared: RunPrepared,
  { keys, query, steps = "", direction = "desc", take = 1 }: KeyQuery,
  selection: W,
): Promise<PostPayload<W>[]> {
  const isLong = selection.description === true && take > FEW_POSTS;
  const text = textOf({ keys, steps, direction, isLong }, selection, query);
  const rows = await runPrepared<{ post: RawPost }>(text, query.values);
  const posts = rows.map(({ post }) => post);
  return (isLong ? await addTexts(runPrepared, "Post", posts) : posts).map(toPost) as PostPayload<W>[];
}

/** Writes by a CTE `written`, which returns the rows that it changed, and reads the post of `keys` as it was before. */
export async function writeAndReadPost<W extends PostSelection>(
  runPrepared: RunPrepared,
  { keys, query, steps }: KeyQuery & { steps: string },
  selection: W,
): Promise<{ post: PostPayload<W>; hasChanged: boolean } | null> {
  const flag = `, EXISTS (SELECT FROM written) AS "hasChanged"`;
  const text = textOf({ keys, steps, direction: "desc", flag }, selection, query);
  const [row] = await runPrepared<{ post: RawPost; hasChanged: boolean }>(text, query.values);
  return row ? { post: toPost(row.post) as PostPayload<W>, hasChanged: row.hasChanged } : null;
}

type Query = ReturnType<typeof createParams>;

/** `keys` is SQL that selects `id`, of `take` posts at most. `steps` are constant CTEs, whose writes the statement does not see. */
type KeyQuery = {
  keys: string;
  query: Query;
  steps?: string;
  direction?: Slice["direction"];
  take?: number;
};

/** Posts beyond which a statement limits the texts that it returns. */
const FEW_POSTS = 12;

type Text = { text: string; values: unknown[] };

/** By selection, whose identity each compiled document and route keeps, by `steps`, and by the rest, which is hashed each time. */
const statementsOfSelections = new WeakMap<PostSelection, Map<string, Map<string, Text>>>();

const MAX_STATEMENTS = 50;

type Source = Pick<Slice, "direction"> & { keys: string; steps: string; flag?: string; isLong?: boolean };

/** Adds the values of the selected columns to `query`. */
function textOf(source: Source, selection: PostSelection, query: Query): string {
  const { keys, steps, direction, flag = "", isLong = false } = source;
  const before = query.values.length;
  const stored = storedOf(selection, steps);
  const key = `${before} ${direction} ${isLong} ${keys}`;
  const found = stored.get(key);
  if (found) {
    query.values.push(...found.values);
    return found.text;
  }
  const order = orderOf({ direction }, "post.");
  const text = `
    ${steps} SELECT ${postJson(selection, query.add, isLong ? order : null)} AS post ${flag}
    FROM (${keys}) key JOIN "Post" post USING (id)
    ${selection.image ? `JOIN "Picture" image ON image.id = post."imageId"` : ""}
    ${joinAuthor("post", selection.author)} ${order}`;
  if (stored.size >= MAX_STATEMENTS) stored.clear();
  stored.set(key, { text, values: query.values.slice(before) });
  return text;
}

function storedOf(selection: PostSelection, steps: string): Map<string, Text> {
  let bySteps = statementsOfSelections.get(selection);
  if (!bySteps) statementsOfSelections.set(selection, (bySteps = new Map()));
  let stored = bySteps.get(steps);
  if (!stored) bySteps.set(steps, (stored = new Map()));
  return stored;
}

/** @param limitedBy the order in which texts are returned up to a limit; null for all */
function postJson(selection: PostSelection, put: Put, limitedBy: string | null): string {
  const columns = ["id", "title", "category", "userId", "imageId", "alt", "createdAt", "updatedAt"] as const;
  const description = limitedBy ? limitedText("post.description", limitedBy) : "post.description";
  return jsonObject({
    ...columnsOf("post", columns),
    ...(selection.description && { description }),
    ...partsOf(selection, put),
  });
}

function partsOf(
  { html, image, author, comments, ...others }: PostSelection,
  put: Put,
): Record<string, string> {
  return {
    ...(html && { html: `(SELECT html FROM "PostHtml" WHERE "postId" = post.id)` }),
    ...(image && { image: pictureJson("image") }),
    ...(author && { author: authorJson(author) }),
    ...selectedSql(others, "post.id"),
    ...(comments && { comments: commentsOf(comments, put) }),
  };
}

const commentColumns = ["id", "text", "postId", "userId", "createdAt", "updatedAt"];

function commentsOf({ author, ...slice }: NonNullable<PostSelection["comments"]>, put: Put): string {
  const fields = {
    ...columnsOf("comment", commentColumns),
    ...(author && { author: authorJson(author) }),
  };
  return `(
    SELECT coalesce(json_agg(${jsonObject(fields)} ${orderOf(slice, "comment.")}), '[]')
    FROM (SELECT * FROM "Comment" WHERE "postId" = post.id ${keysetClause(slice, put)}) comment
    ${joinAuthor("comment", author)})`;
}

// Mutates the parsed rows: a copy of each would cost more than the parsing.

function toPost(raw: RawPost): Post {
  const { author, comments } = raw;
  const post = withDates<Post>(raw);
  if (author) post.author = toAuthor(author);
  if (comments) post.comments = comments.map(toComment);
  return post;
}

function toComment(raw: RawComment): Comment {
  const { author } = raw;
  const comment = withDates<Comment>(raw);
  if (author) comment.author = toAuthor(author);
  return comment;
}

function withDates<T extends { createdAt: Date; updatedAt: Date }>(
  raw: Record<"createdAt" | "updatedAt", unknown>,
): T {
  const row = raw as T;
  row.createdAt = new Date(row.createdAt);
  row.updatedAt = new Date(row.updatedAt);
  return row;
}

const countConditions = ({ category, author, tag }: PostFilter) =>
  [category, author, tag].filter((value) => value !== undefined).length;

const sumOf = (counts: string) => `SELECT coalesce(sum(posts), 0)::int AS count FROM ${counts}`;

/** Triggers count the posts of each day, of each category's title, of each author and of each tag. */
function countText(filter: PostFilter, put: Put): string {
  if (countConditions(filter) > 1) return `SELECT count(*)::int FROM ${matching(filter, put)}`;
  return sumOf(countsOf(filter, put));
}

function countsOf({ category, author, tag }: PostFilter, put: Put): string {
  if (category !== undefined) return `"PostCategory" WHERE category = ${put(category)}`;
  if (author !== undefined) return `"AuthorCount" WHERE "userId" = ${put(author)}`;
  if (tag === undefined) return `"PostDay"`;
  return `"TagCount" WHERE "tagId" = (SELECT id FROM "Tag" WHERE "nameKey" = ${put(tag)})`;
}

/** FROM and WHERE. The posts of a tag are always found by the index of their times, also with further conditions. */
function matching({ category, author, tag }: PostFilter, put: Put): string {
  const conditions = [
    ...(category === undefined ? [] : [`category = ${put(category)}`]),
    ...(author === undefined ? [] : [`"userId" = ${put(author)}`]),
  ].join(" AND ");
  if (tag === undefined) return `"Post" WHERE ${conditions || "true"}`;
  const tagged = `(SELECT "postId" AS id, "createdAt" FROM "PostTag"
    WHERE "tagId" = (SELECT id FROM "Tag" WHERE "nameKey" = ${put(tag)})) tagged`;
  const others = `EXISTS (SELECT FROM "Post" WHERE "Post".id = tagged.id AND ${conditions})`;
  return `${tagged} WHERE ${conditions ? others : "true"}`;
}

type PostQueries = Pick<
  Queries,
  "posts" | "postsById" | "postTimes" | "postsIn" | "postsOf" | "countPosts" | "countPostsIn" | "countPostsOf"
>;

export const postQueries = (runPrepared: RunPrepared): PostQueries => ({
  posts(filter, slice, selection) {
    const query = createParams();
    if (countConditions(filter) === 0 && isDeepOffset(slice)) {
      const keys = deepOffsetKeys(slice, query);
      return runPostQuery(runPrepared, { keys, query, steps: START, ...slice }, selection);
    }
    const keys = `SELECT id FROM ${matching(filter, query.add)} ${keysetClause(slice, query.add)}`;
    return runPostQuery(runPrepared, { keys, query, ...slice }, selection);
  },

  postsById(ids, selection) {
    const query = createParams();
    const keys = `SELECT unnest(${query.add([...new Set(ids)])}::uuid[]) AS id`;
    return runPostQuery(runPrepared, { keys, query, take: ids.length }, selection);
  },

  postsOf(authorIds, slice, selection) {
    const query = createParams();
    const keys = `
      SELECT written.id FROM unnest(${query.add([...authorIds])}::uuid[]) AS author(id)
      CROSS JOIN LATERAL (SELECT id FROM "Post" WHERE "userId" = author.id ${keysetClause(slice, query.add)}) written`;
    return runPostQuery(
      runPrepared,
      { keys, query, ...slice, take: authorIds.length * slice.take },
      selection,
    );
  },

  postsIn(categories, slice, selection) {
    const query = createParams();
    const keys = `
      SELECT filed.id FROM unnest(${query.add([...categories])}::text[]) AS category(title)
      CROSS JOIN LATERAL (SELECT id FROM "Post" WHERE category = category.title ${keysetClause(slice, query.add)}) filed`;
    return runPostQuery(
      runPrepared,
      { keys, query, ...slice, take: categories.length * slice.take },
      selection,
    );
  },

  postTimes: (skip, take) =>
    runPrepared(`SELECT id, "updatedAt" FROM "Post" ${orderOf({ direction: "desc" })} OFFSET $1 LIMIT $2`, [
      skip,
      take,
    ]),

  async countPosts(filter) {
    const query = createParams();
    const text = countText(filter, query.add);
    const [row] = await runPrepared<{ count: number }>(text, query.values);
    return row?.count ?? 0;
  },

  countPostsIn: (categories) =>
    countBy(runPrepared, sumOf(`"PostCategory" WHERE category = key`), "text", categories),
  countPostsOf: (authorIds) =>
    countBy(runPrepared, sumOf(`"AuthorCount" WHERE "userId" = key`), "uuid", authorIds),
});
