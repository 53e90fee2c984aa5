import type pg from "pg";
import { conflict } from "../errors.ts";
import {
  MAX_BOOKMARKS,
  MAX_BROWSERS,
  MAX_CATEGORIES,
  MAX_DRAFT_TAGS,
  MAX_DRAFTS,
  MAX_FOLLOWS,
  MAX_TAGS,
} from "../limits.ts";
import { quote, type Table } from "./tables.ts";

/** Characters of the longest text that the blog writes; lists and JSON count as text. */
const MAX_TEXT = 50_000;
const MAX_NUMBER = 2_000_000_000;

/** By the type of a column the values that the blog never writes, and whose readers have no limits. */
const foreign = {
  text: (column: string) => `length(${column}::text) > ${MAX_TEXT}`,
  time: (column: string) => `NOT isfinite(${column}) OR extract(year FROM ${column}) NOT BETWEEN 1 AND 9999`,
  number: (column: string) => `abs(${column}::numeric) > ${MAX_NUMBER}`,
  list: (column: string) => `${foreign.text(column)} OR cardinality(${column}) > ${MAX_DRAFT_TAGS}`,
};

type Bound = { table: string; parent?: string; most: number; rows: string };

/** Numbers of rows that the blog limits when it writes them, and that its readers rely on. */
const bounds: Bound[] = [
  { table: "Category", most: MAX_CATEGORIES, rows: "categories" },
  { table: "PostTag", parent: "postId", most: MAX_TAGS, rows: "tags of a post" },
  { table: "Draft", parent: "userId", most: MAX_DRAFTS, rows: "drafts of an account" },
  { table: "Bookmark", parent: "userId", most: MAX_BOOKMARKS, rows: "bookmarks of an account" },
  { table: "Follow", parent: "userId", most: MAX_FOLLOWS, rows: "follows of an account" },
  { table: "KnownBrowser", parent: "userId", most: 2 * MAX_BROWSERS, rows: "browsers of an account" },
];

const counts: Record<string, string> = {
  PostDay: `(day, slot, posts) SELECT ("createdAt" AT TIME ZONE 'UTC')::date, 0, count(*) FROM "Post" GROUP BY 1`,
  PostCategory: `(category, slot, posts) SELECT category, 0, count(*) FROM "Post" GROUP BY 1`,
  AuthorCount: `("userId", slot, posts) SELECT "userId", 0, count(*) FROM "Post" GROUP BY 1`,
  CommentCount: `("postId", slot, comments) SELECT "postId", 0, count(*) FROM "Comment" GROUP BY 1`,
  TagCount: `("tagId", posts) SELECT "tagId", count(*) FROM "PostTag" GROUP BY 1`,
};

function kindOf(type: string): keyof typeof foreign | null {
  if (/^timestamp|^date/.test(type)) return "time";
  if (["smallint", "integer", "bigint", "numeric", "double precision", "real"].includes(type))
    return "number";
  if (type === "ARRAY") return "list";
  return ["boolean", "uuid"].includes(type) ? null : "text";
}

/** @throws CONFLICT if a manipulated backup has filled a table with such values, or with too many rows */
export async function refuseForeignValues(client: pg.Client, tables: Pick<Table, "name">[]): Promise<void> {
  for (const { name } of tables) {
    const { rows } = await client.query<{ column: string; type: string }>(
      `SELECT column_name::text AS column, data_type::text AS type FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name = $1`,
      [name],
    );
    const conditions = rows.flatMap(({ column, type }) => {
      const kind = kindOf(type);
      return kind ? [foreign[kind](quote([column]))] : [];
    });
    if (conditions.length === 0) continue;
    const table = quote([name]);
    const found = await client.query(`SELECT FROM ${table} WHERE (${conditions.join(") OR (")}) LIMIT 1`);
    if (found.rowCount !== 0)
      throw conflict(
        `The backup has a text, a list, a date or a number in ${name} that the blog does not write: nothing was changed.`,
      );
  }
  await refuseTooManyRows(client);
}

async function refuseTooManyRows(client: pg.Client): Promise<void> {
  for (const { table, parent, most, rows } of bounds) {
    const groups = parent ? `GROUP BY ${quote([parent])}` : "";
    const found = await client.query(
      `SELECT FROM ${quote([table])} ${groups} HAVING count(*) > ${most} LIMIT 1`,
    );
    if (found.rowCount !== 0)
      throw conflict(
        `The backup has more than ${most} ${rows}, which the blog does not write: nothing was changed.`,
      );
  }
}

/** Counts anew what triggers count: the counts of a manipulated backup may be too large to be summed. */
export async function recountRows(client: pg.Client): Promise<void> {
  for (const [name, rows] of Object.entries(counts))
    await client.query(`TRUNCATE ${quote([name])}; INSERT INTO ${quote([name])} ${rows}`);
}
