import pg from "pg";
import { expect, test } from "vitest";
import { startTestApp } from "../testing/app.ts";
import { afterFile } from "../testing/cleanup.ts";
import { fillTables } from "../testing/contents.ts";
import { createCategory, createComment, createPost } from "../testing/factories.ts";
import { refuseForeignValues } from "./restored-values.ts";
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
  ["User", `"passwordHash" = repeat('a', 60000)`],
  ["Draft", `tags = array_fill('tag'::text, ARRAY[20000])`],
])("R38A A-2: a backup's %s with %s is refused", async (table, change) => {
  // As `restore`, without triggers.
  await client.query("BEGIN; SET LOCAL session_replication_role = replica");
  const { rowCount } = await client.query(`UPDATE "${table}" SET ${change}`);
  expect(rowCount).toBeGreaterThan(0);
  await expect(check()).rejects.toThrow(`in ${table} that the blog does not write`);
  await client.query("ROLLBACK");
});
