import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Queries, Writes } from "../../domain/ports.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { afterFile } from "../../testing/cleanup.ts";
import { createPost, createTag, createUser } from "../../testing/factories.ts";
import { openDatabase } from "../client.ts";
import { openQueries } from "../queries/queries.ts";
import { openWrites } from "./writes.ts";

let blog: TestApp;
let queries: Queries;
let writes: Writes;
let userId: string;
let posts: string[];
let tags: string[];

const names = ["Slate", "Moss", "Roofs"];

beforeAll(async () => {
  blog = await startTestApp();
  userId = (await createUser(blog.db)).id;
  const database = openDatabase(blog.url, { pool: 2 });
  afterFile(() => database.close());
  queries = openQueries(database);
  writes = openWrites(blog.db);
});

beforeEach(async () => {
  await blog.pool.query('TRUNCATE "Post", "Tag" CASCADE');
  posts = [];
  for (let n = 0; n < 6; n++) posts.push((await createPost(blog.db, { userId })).id);
  tags = [];
  for (const [n, name] of names.entries())
    tags.push((await createTag(blog.db, { name }, posts.slice(n), n)).id);
});

const run = (sql: string, values: unknown[] = []) => blog.pool.query(sql, values);
const setTags = (postId: string, ...given: string[]) =>
  blog.db.$transaction((tx) =>
    writes.setTags(
      tx,
      postId,
      given.map((name) => ({ name, key: name.toLowerCase() })),
      new Date(),
    ),
  );
const sum = () => blog.db.$transaction((tx) => writes.sumTagCounts(tx));

async function expectCounts(): Promise<void> {
  const all = await blog.db.tag.findMany({ include: { _count: { select: { posts: true } } } });
  const counts = await queries.countPostsWithTags(all.map(({ id }) => id));
  for (const { id, nameKey, _count } of all) {
    expect(counts.get(id) ?? 0, nameKey).toBe(_count.posts);
    expect(await queries.countPosts({ tag: nameKey }), nameKey).toBe(_count.posts);
  }
  const used = all.filter(({ _count }) => _count.posts > 0).map(({ name }) => name);
  expect((await queries.tagNames(100)).sort()).toEqual(used.sort());
  expect(await queries.countList({ list: "tags", search: null })).toBe(used.length);
}

const changes: [what: string, change: () => Promise<unknown>][] = [
  ["none", async () => undefined],
  ["posts get and lose tags", () => setTags(posts[5]!, "Moss", "New")],
  ["tags of a post change places", () => setTags(posts[5]!, "Roofs", "Moss", "Slate")],
  ["a post is deleted", () => blog.db.post.delete({ where: { id: posts[3]! } })],
  ["an account is deleted with its posts", () => blog.db.user.delete({ where: { id: userId } })],
  ["a tag is merged", () => blog.db.$transaction((tx) => writes.mergeTags(tx, tags[0]!, tags[2]!))],
  ["a tag is deleted", () => blog.db.tag.delete({ where: { id: tags[1]! } })],
  ["a post moves in time", () => run(`UPDATE "Post" SET "createdAt" = '2020-01-01'`)],
  [
    "rows get another tag",
    () =>
      run('UPDATE "PostTag" SET "tagId" = $1 WHERE "postId" = $2 AND "tagId" = $3', [
        tags[1],
        posts[0],
        tags[0],
      ]),
  ],
  ["no post has a tag any more", () => run('TRUNCATE "PostTag"')],
];

test.each(changes)("the posts of tags are counted where %s", async (what, change) => {
  await change();
  await expectCounts();
  await sum();
  await expectCounts();
  if (what.startsWith("an account")) userId = (await createUser(blog.db)).id;
});

test("a change that is rolled back does not count", async () => {
  const failing = blog.db.$transaction(async (tx) => {
    await tx.post.delete({ where: { id: posts[4]! } });
    throw new Error("rolled back");
  });
  await expect(failing).rejects.toThrow("rolled back");
  await expectCounts();
});

test("the sum leaves a row for each tag, and counts what others change meanwhile", async () => {
  await setTags(posts[0]!, ...names);
  await blog.db.tag.delete({ where: { id: tags[1]! } });
  await blog.db.$transaction(async (tx) => {
    await tx.post.delete({ where: { id: posts[0]! } });
    await Promise.all([sum(), sum()]);
    await setTags(posts[1]!, ...names, `Tag ${randomUUID().slice(0, 8)}`);
  });
  await expectCounts();
  await sum();
  expect(await blog.db.tagCount.count()).toBe(await blog.db.tag.count());
  await expectCounts();
});
