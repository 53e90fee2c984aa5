import type { Db, Queries } from "../../domain/ports.ts";
import type {
  FullTextSearch,
  ListName,
  ListOrder,
  ListSelection,
  ListSlice,
  PostFilter,
} from "../../domain/post-selection.ts";
import { Prisma } from "../../generated/prisma/client.ts";

// Searched or sorted lists select only keys, so that skipped rows need no join. Each statement names the row `node`.

const { sql, join, empty } = Prisma;

const createdAt = sql`node."createdAt"`;

const columns: Record<ListName, Record<string, Prisma.Sql>> = {
  posts: {
    createdAt,
    updatedAt: sql`node."updatedAt"`,
    title: sql`lower(node.title)`,
    author: sql`author."usernameKey"`,
  },
  comments: { createdAt, author: sql`author."usernameKey"`, text: sql`lower(left(node.text, 100))` },
  categories: { createdAt, title: sql`node."titleKey"`, postCount: sql`coalesce(carried.posts, 0)` },
  users: { createdAt, username: sql`node."usernameKey"`, email: sql`node.email` },
  emails: { createdAt },
  tags: { createdAt, name: sql`node."nameKey"`, postCount: sql`carried.posts` },
};

const withAuthor = sql`JOIN "User" AS author ON author.id = node."userId"`;

const SELECTIVE_LENGTH = 3;

const carriedBy = (search: string | undefined) =>
  search && search.length >= SELECTIVE_LENGTH
    ? sql`CROSS JOIN LATERAL (
        SELECT sum(posts) AS posts FROM "TagCount" WHERE "tagId" = node.id HAVING sum(posts) > 0) AS carried`
    : sql`JOIN (SELECT "tagId", sum(posts) AS posts FROM "TagCount" GROUP BY "tagId" HAVING sum(posts) > 0) AS carried
        ON carried."tagId" = node.id`;

function fromOf(selection: ListSelection, field?: string): Prisma.Sql {
  const { list } = selection;
  const author = field === "author" ? withAuthor : empty;
  if (list === "posts") return sql`"Post" AS node ${author}`;
  if (list === "comments") return sql`"Comment" AS node ${author}`;
  if (list === "users") return sql`"User" AS node`;
  if (list === "emails") return sql`"Letter" AS node`;
  if (list === "tags") return sql`"Tag" AS node ${carriedBy(selection.search?.key)}`;
  return sql`"Category" AS node LEFT JOIN
    (SELECT category, sum(posts) AS posts FROM "PostCategory" GROUP BY category) AS carried ON carried.category = node.title`;
}

const containing = (text: string) => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

function conditionsOf(selection: ListSelection): Prisma.Sql[] {
  if (selection.list === "emails") return [];
  if (selection.list === "posts")
    return [...filterOf(selection.filter), ...(selection.search ? [matchesFullText(selection.search)] : [])];
  const { search } = selection;
  if (!search) return [];
  if (selection.list === "tags") return [sql`node."nameKey" LIKE ${containing(search.key)}`];
  const key = containing(search.key);
  if (selection.list === "categories") return [sql`node."titleKey" LIKE ${key}`];
  if (selection.list === "users") return [sql`(node."usernameKey" LIKE ${key} OR node.email LIKE ${key})`];
  return [
    sql`(node.id IN (${newestCommentsWith(search.text)})
      OR node."userId" IN (SELECT id FROM "User" WHERE "usernameKey" LIKE ${key}))`,
  ];
}

const [COMPARED_COMMENTS, COMPARED_BYTES_OF_COMMENTS] = [100_000, 16_000_000];

/** OFFSET 0 is an optimization fence: the planner would otherwise compare all comments. */
const newestCommentsWith = (text: string) => sql`
  SELECT id FROM (
    SELECT id, text FROM (
      SELECT id, sum(length) OVER (ORDER BY "createdAt" DESC, id DESC) AS bytes FROM (
        SELECT id, "createdAt", octet_length(text) AS length FROM "Comment"
        ORDER BY "createdAt" DESC, id DESC LIMIT ${COMPARED_COMMENTS}) newest) sized
    JOIN "Comment" USING (id) WHERE bytes < ${COMPARED_BYTES_OF_COMMENTS} OFFSET 0) compared
  WHERE text ILIKE ${containing(text)}`;

const filterOf = ({ category, author, tag, updatedAfter }: PostFilter): Prisma.Sql[] => [
  ...(category === undefined ? [] : [sql`node.category = ${category}`]),
  ...(author === undefined ? [] : [sql`node."userId" = ${author}::uuid`]),
  ...(tag === undefined
    ? []
    : [
        sql`node.id IN (SELECT "postId" FROM "PostTag" JOIN "Tag" ON "Tag".id = "tagId" WHERE "nameKey" = ${tag})`,
      ]),
  ...(updatedAfter === undefined ? [] : [sql`node."updatedAt" > ${updatedAfter}`]),
];

/** Literals are compared with texts: with the newest posts' up to so many bytes, 0.1 s. */
const COMPARED_BYTES = 4_000_000;

/** OFFSET 0 is an optimization fence: the planner would otherwise compare a text once for each literal. */
function matchesFullText({ words, literals }: FullTextSearch): Prisma.Sql {
  const query = words.map((word) => `${word}:*`).join(" & ");
  const found = sql`SELECT id FROM "postsWithWords"(to_tsquery('pg_catalog.simple', ${query}))`;
  if (literals.length === 0) return sql`node.id IN (${found})`;
  const patterns = [...new Set(literals)].map((literal) => sql`lower(${containing(literal)})`);
  return sql`node.id IN (SELECT id FROM (
    SELECT id, lower(title || chr(10) || description) AS text FROM (
      SELECT id, sum(octet_length(description)) OVER (ORDER BY "createdAt" DESC, id DESC) AS bytes
      FROM "Post" WHERE id IN (${found})) sized
    JOIN "Post" USING (id) WHERE bytes - octet_length(description) < ${COMPARED_BYTES} OFFSET 0) compared
    WHERE text LIKE ALL (ARRAY[${join(patterns)}]))`;
}

function orderAndLimit(list: ListName, { field, direction }: ListOrder, slice: ListSlice | null): Prisma.Sql {
  const by = columns[list][field] ?? createdAt;
  const sortDirection = direction === "asc" ? sql`ASC` : sql`DESC`;
  const orderBy = sql`ORDER BY ${by} ${sortDirection}, node.id ${sortDirection}`;
  if (!slice) return orderBy;
  const { cursor, take, skip, until } = slice;
  const operator = direction === "asc" ? sql`>` : sql`<`;
  const beyond = cursor
    ? sql`AND (${by}, node.id) ${operator} (${cursor.value ?? cursor.createdAt}, ${cursor.id}::uuid)`
    : empty;
  const before = until ? sql`AND ${by} < ${until}` : empty;
  return sql`${beyond} ${before} ${orderBy} LIMIT ${take} OFFSET ${skip}`;
}

const rowsOf = (selection: ListSelection, field?: string) =>
  sql`FROM ${fromOf(selection, field)} WHERE ${join([sql`TRUE`, ...conditionsOf(selection)], " AND ")}`;

export const listQueries = (db: Db): Pick<Queries, "listKeys" | "countList"> => ({
  listKeys: (selection, order, slice) =>
    db.$queryRaw`SELECT node.id, node."createdAt", ${columns[selection.list][order.field] ?? createdAt} AS value ${rowsOf(selection, order.field)}
      ${orderAndLimit(selection.list, order, slice)}`,

  countList: async (selection) => {
    const [row] = await db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count ${rowsOf(selection)}`;
    return row?.count ?? 0;
  },
});
