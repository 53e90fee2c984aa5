import pg from "pg";
import { expect, test } from "vitest";
import { startTestApp } from "../testing/app.ts";
import { afterFile } from "../testing/cleanup.ts";
import { fillTables } from "../testing/contents.ts";
import { createCategory, createComment, createPost } from "../testing/factories.ts";
import {
  MAX_BOOKMARKS,
  MAX_BROWSERS,
  MAX_CATEGORIES,
  MAX_DRAFT_TAGS,
  MAX_DRAFTS,
  MAX_FOLLOWS,
  MAX_TAGS,
} from "../limits.ts";
import { recountRows, refuseForeignValues } from "./restored-values.ts";
import { readTables } from "./tables.ts";

const blog = await startTestApp();
const client = new pg.Client({ connectionString: String(blog.pool.options.connectionString) });
await client.connect();
afterFile(() => client.end());
await createCategory(blog.db, "Craft");
const maya = await blog.signUp();
const post = await createPost(blog.db, {
  userId: maya.id,
  category: "Craft",
  description: "a".repeat(50_000),
});
await fillTables(blog, post.id);
await createComment(blog.db, { postId: post.id, userId: maya.id });

const check = async () => refuseForeignValues(client, await readTables(client));

test("rows in every table that the blog has written are accepted", () =>
  expect(check()).resolves.toBeUndefined());

test.each([
  ["Post", `description = repeat('a', 50001)`],
  ["Post", `"createdAt" = 'infinity'`],
  ["Post", `"updatedAt" = '20260-01-01'`],
  ["Comment", `"createdAt" = '-infinity'`],
  ["Comment", `"createdAt" = '0044-03-15 BC'`],
  ["User", `"passwordHash" = repeat('a', 60000)`],
  ["Draft", `tags = array_fill('tag'::text, ARRAY[20000])`],
  ["Draft", `tags = array_fill('tag'::text, ARRAY[${MAX_DRAFT_TAGS + 1}])`],
  ["Picture", `widths = array_fill(1, ARRAY[24000])`],
])("R38A A-2: a backup's %s with %s is refused", async (table, change) => {
  // As `restore`, without triggers.
  await client.query("BEGIN; SET LOCAL session_replication_role = replica");
  const { rowCount } = await client.query(`UPDATE "${table}" SET ${change}`);
  expect(rowCount).toBeGreaterThan(0);
  await expect(check()).rejects.toThrow(`in ${table} that the blog does not write`);
  await client.query("ROLLBACK");
});

const most = {
  Category: [MAX_CATEGORIES, "categories"],
  PostTag: [MAX_TAGS, "tags of a post"],
  Draft: [MAX_DRAFTS, "drafts of an account"],
  Bookmark: [MAX_BOOKMARKS, "bookmarks of an account"],
  Follow: [MAX_FOLLOWS, "follows of an account"],
  KnownBrowser: [2 * MAX_BROWSERS, "browsers of an account"],
} as const;

/** Of one parent. */
const rowOf: Record<keyof typeof most, string> = {
  Category: `(id, title, "titleKey", "updatedAt") SELECT gen_random_uuid(), 'A title', gen_random_uuid(), now()`,
  PostTag: `("postId", "tagId", position) SELECT '${maya.id}', gen_random_uuid(), 1`,
  Draft: `(id, "userId", tags, "updatedAt") SELECT gen_random_uuid(), '${post.id}',
    array_fill(repeat('a', 100), ARRAY[${MAX_DRAFT_TAGS}]), now()`,
  Bookmark: `("userId", "postId") SELECT '${post.id}', gen_random_uuid()`,
  Follow: `(id, "userId", "tagId") SELECT gen_random_uuid(), '${post.id}', gen_random_uuid()`,
  KnownBrowser: `("userId", hash, "seenAt") SELECT '${post.id}', uuid_send(gen_random_uuid()), now()`,
};

test.each(Object.keys(most) as (keyof typeof most)[])(
  "R42B-1: a backup's %s with more rows than the blog writes is refused, and not one with as many",
  async (table) => {
    const [count, noun] = most[table];
    const add = (rows: number) =>
      client.query(`INSERT INTO "${table}" ${rowOf[table]} FROM generate_series(1, ${rows})`);
    await client.query("BEGIN; SET LOCAL session_replication_role = replica");
    if (table === "Category") await client.query(`DELETE FROM "Category"`);
    await add(count);
    await expect(check()).resolves.toBeUndefined();
    await add(1);
    await expect(check()).rejects.toMatchObject({
      code: "CONFLICT",
      message: `The backup has more than ${count} ${noun}, which the blog does not write: nothing was changed.`,
    });
    await client.query("ROLLBACK");
  },
);

test("R42B-1: all counts of a backup are replaced by those of its rows", async () => {
  const tables = { PostDay: "posts", PostCategory: "posts", AuthorCount: "posts", TagCount: "posts" };
  const columns = Object.entries({ ...tables, CommentCount: "comments" });
  await client.query("BEGIN; SET LOCAL session_replication_role = replica");
  for (const [table, column] of columns) await client.query(`UPDATE "${table}" SET ${column} = 1999999999`);
  await client.query(`INSERT INTO "PostDay" SELECT day, slot + 10, posts, 1 FROM "PostDay"`);
  await client.query(`INSERT INTO "PostCategory" VALUES ('Deleted', 0, -5)`);
  await recountRows(client);
  for (const [table, column] of columns) {
    const { rows } = await client.query(`SELECT sum(${column})::int, count(*)::int FROM "${table}"`);
    expect(rows, table).toEqual([{ sum: 1, count: 1 }]);
  }
  await client.query("ROLLBACK");
});
