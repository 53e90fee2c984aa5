import { beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createPost, createUser } from "../../testing/factories.ts";
import type { ListSelection } from "../../domain/post-selection.ts";

let blog: TestApp;
let [postId, userId] = ["", ""];
beforeAll(async () => {
  blog = await startTestApp();
  userId = (await createUser(blog.db, { username: "Maya" })).id;
  postId = (await createPost(blog.db, { userId })).id;
});

const count = (list: "comments" | "tags", text: string) => {
  const selection: ListSelection = { list, search: { text, key: text.toLowerCase() } };
  return blog.services.queries.countList(selection);
};

test("A47-4: a search compares the newest 16 MB of comments, and the names of all their authors", async () => {
  const { id: other } = await createUser(blog.db, { username: "Noor" });
  const write = (author: string, length: number, rows: number) =>
    blog.pool.query(
      `INSERT INTO "Comment" (id, text, "postId", "userId", "createdAt", "updatedAt")
        SELECT gen_random_uuid(), 'Slate. ' || repeat('x', $4), $1, $2, now() - interval '1 day' + n * interval '1 s', now()
        FROM generate_series(1, $3::int) n`,
      [postId, author, rows, length],
    );
  await write(other, 1_900, 10_000);
  await write(userId, 10, 3);
  const found = await count("comments", "slate");
  expect(found).toBeGreaterThan(8_000);
  expect(found).toBeLessThan(9_000);
  expect(await count("comments", "noor")).toBe(10_000);
}, 60_000);

test("B47-1: a search of tags counts the posts of each as the list of all does", async () => {
  const names = ["slate", "slate roof", "unused slate", "bread"];
  for (const name of names) await blog.db.tag.create({ data: { name, nameKey: name } });
  const tags = await blog.db.tag.findMany({ where: { nameKey: { not: "unused slate" } } });
  for (const { id: tagId } of tags) await blog.db.postTag.create({ data: { postId, tagId, position: 0 } });
  const find = async (search: string) => {
    const { body } = await blog.gql(
      `{ tags(search: "${search}", sort: "-postCount", first: 8) { totalCount nodes { name postCount } } }`,
    );
    return body.data.tags;
  };
  const nodes = ["slate roof", "slate"].map((name) => ({ name, postCount: 1 }));
  for (const search of ["sl", "slate"])
    expect(await find(search)).toEqual({ totalCount: 2, nodes: expect.arrayContaining(nodes) });
});

test("B47-1: lists of tags read the index of the counts, and not their rows", async () => {
  await blog.pool.query('VACUUM ANALYZE "TagCount"');
  const client = await blog.pool.connect();
  await client.query("BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off");
  const { rows } = await client.query(
    `EXPLAIN SELECT "tagId", sum(posts) FROM "TagCount" GROUP BY "tagId" HAVING sum(posts) > 0`,
  );
  await client.query("COMMIT");
  client.release();
  expect(JSON.stringify(rows)).toMatch(/Index Only Scan using .*TagCount_tagId_posts_idx/);
});
