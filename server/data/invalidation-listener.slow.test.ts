import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { CacheTag } from "../domain/ports.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import {
  createCategory,
  createComment,
  createLike,
  createPost,
  createTag,
  createUser,
} from "../testing/factories.ts";
import { startTcpProxy } from "../testing/tcp-proxy.ts";
import { openInvalidationListener } from "./invalidation-listener.ts";

let blog: TestApp;
let line: Awaited<ReturnType<typeof startTcpProxy>>;
let user: string;
let post: string;
beforeAll(async () => {
  blog = await startTestApp();
  line = await startTcpProxy(blog.url);
  user = (await createUser(blog.db)).id;
  post = (await createPost(blog.db, { userId: user })).id;
});

async function listen(url = line.url) {
  const changes = openInvalidationListener(url);
  onTestFinished(changes.close);
  await vi.waitUntil(changes.isListening, { timeout: 5_000 });
  const received: CacheTag[] = [];
  changes.onChange((tags) => received.push(...tags));
  return { changes, received };
}

const { poll } = expect;
const soon = { timeout: 5_000, interval: 20 };

describe("notifies the tags of every write to a table of the public pages:", () => {
  const writes: [string, () => Promise<unknown>, () => CacheTag[]][] = [
    ["a post is created", () => createPost(blog.db, { userId: user }), () => ["posts", `author:${user}`]],
    [
      "a post is edited",
      () => sql(`UPDATE "Post" SET title = 'x' WHERE id = $1`, post),
      () => [`post:${post}`, `text:${post}`],
    ],
    ["a like is created", () => createLike(blog.db, { postId: post, userId: user }), () => [`post:${post}`]],
    ["a like is deleted", () => sql(`DELETE FROM "Like" WHERE "postId" = $1`, post), () => [`post:${post}`]],
    [
      "a comment is created",
      () => createComment(blog.db, { postId: post, userId: user }),
      () => [`post:${post}`],
    ],
    [
      "a comment is edited",
      () => sql(`UPDATE "Comment" SET text = 'x'`),
      () => [`post:${post}`, `comments:${post}`],
    ],
    ["a comment is deleted", () => sql(`DELETE FROM "Comment"`), () => [`post:${post}`, `comments:${post}`]],
    ["a category is created", () => createCategory(blog.db, "Craft"), () => ["categories"]],
    ["a category is deleted", () => sql(`DELETE FROM "Category"`), () => ["categories"]],
    ["a tag is given", () => createTag(blog.db, { name: "Slate" }, [post]), () => ["posts", `post:${post}`]],
    ["a tag is renamed", () => sql(`UPDATE "Tag" SET name = 'x'`), () => ["posts", `post:${post}`]],
    ["a tag is deleted", () => sql(`DELETE FROM "Tag"`), () => ["posts", `post:${post}`]],
    [
      "a post is rendered",
      () => sql(`UPDATE "PostHtml" SET html = '<p>x</p>' WHERE "postId" = $1`, post),
      () => [`html:${post}`],
    ],
    ["a picture is updated", () => sql(`UPDATE "Picture" SET width = 4`), () => [`post:${post}`]],
    ["an account is updated", () => sql(`UPDATE "User" SET bio = 'x'`), () => [`user:${user}`]],
    [
      "a post is deleted",
      () => sql(`DELETE FROM "Post" WHERE id <> $1`, post),
      () => ["posts", `author:${user}`],
    ],
    ["tables are truncated", () => sql(`TRUNCATE "User", "Post", "Category" CASCADE`), () => ["*"]],
  ];
  const sql = (text: string, ...values: unknown[]) => blog.pool.query(text, values);

  test.each(writes)("%s", async (_name, write, tags) => {
    const { received } = await listen();
    await write();
    await poll(() => received, soon).toEqual(expect.arrayContaining(tags()));
  });

  test("a post is deleted, and HTML rendered again to the same", async () => {
    const { received } = await listen();
    const maya = await createUser(blog.db);
    const { id } = await createPost(blog.db, { userId: maya.id });
    await sql(`UPDATE "PostHtml" SET version = 0, html = html`);
    await sql(`DELETE FROM "Post" WHERE id = $1`, id);
    await poll(() => received, soon).toEqual(
      expect.arrayContaining([`post:${id}`, `content:${id}`, `deleted:${id}`]),
    );
    expect(received.filter((tag) => tag.startsWith("html:"))).toEqual([]);
  });

  test("a moved row gives the tags of both parents, and a new account its name", async () => {
    const { received } = await listen();
    const maya = await createUser(blog.db);
    const [one, other] = [
      await createPost(blog.db, { userId: maya.id }),
      await createPost(blog.db, { userId: maya.id }),
    ];
    await createComment(blog.db, { postId: one.id, userId: maya.id });
    await poll(() => received, soon).toContain(`user:${maya.id}`);
    await poll(() => received, soon).toContain(`post:${one.id}`);
    await poll(() => received, soon).toContain(`post:${other.id}`);
    await new Promise((done) => setTimeout(done, 100));
    received.length = 0;
    await sql(`UPDATE "Comment" SET "postId" = $1`, other.id);
    await poll(() => received, soon).toEqual(expect.arrayContaining([`post:${one.id}`, `post:${other.id}`]));
  });

  test("a statement of a thousand rows gives each, one of many more *, and a rollback nothing", async () => {
    const { received } = await listen();
    const { id } = await createUser(blog.db);
    const client = await blog.pool.connect();
    await client.query("BEGIN");
    await client.query(`UPDATE "User" SET bio = 'never' WHERE id = $1`, [id]);
    await client.query("ROLLBACK");
    client.release();
    const insert = (first: number, last: number) =>
      sql(
        `INSERT INTO "User" (id, username, "usernameKey", email, "passwordHash", "verifiedAt", "updatedAt")
         SELECT gen_random_uuid(), 'n' || n, 'n' || n, n || '@example.com', '', now(), now() FROM generate_series(${first}, ${last}) n`,
      );
    await insert(1, 1_000);
    await poll(
      () => received.filter((tag) => tag.startsWith("user:") && tag !== `user:${id}`),
      soon,
    ).toHaveLength(1_000);
    expect(received).not.toContain("*");
    await insert(1_001, 3_003);
    await poll(() => received, soon).toContain("*");
    expect(received.filter((tag) => tag === `user:${id}`)).toHaveLength(1);
  });
});

describe("invalidates everything while notifications cannot arrive:", () => {
  test("at once when the connection is lost, and again after the reconnect", async () => {
    const { changes, received } = await listen();
    line.refuse();
    await poll(changes.isListening, soon).toBe(false);
    expect(received).toContain("*");
    await createCategory(blog.db, "Unheard");
    await new Promise((done) => setTimeout(done, 700));
    received.length = 0;
    line.work();
    await poll(changes.isListening, soon).toBe(true);
    // Reads that began meanwhile may be stale.
    expect(received).toEqual(["*"]);
    await createCategory(blog.db, "Received again");
    await poll(() => received, soon).toContain("categories");
  });

  test("within seconds when the connection hangs", async () => {
    const { changes, received } = await listen();
    const began = performance.now();
    line.hang();
    await poll(changes.isListening, soon).toBe(false);
    expect(performance.now() - began).toBeLessThan(4_500);
    expect(received).toEqual(["*"]);
    line.work();
    await poll(changes.isListening, { timeout: 10_000 }).toBe(true);
  });

  test("from the start until the database is reachable", async () => {
    line.refuse();
    const changes = openInvalidationListener(line.url);
    onTestFinished(changes.close);
    await new Promise((done) => setTimeout(done, 200));
    expect(changes.isListening()).toBe(false);
    line.work();
    await poll(changes.isListening, soon).toBe(true);
  });
});

test("after close it sends no tags and leaves no connection open", async () => {
  const { changes } = await listen();
  const connections = async () =>
    (
      await blog.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'blog changes'`,
      )
    ).rowCount;
  await changes.close();
  expect(changes.isListening()).toBe(false);
  await poll(connections, soon).toBe(0);
  await new Promise((done) => setTimeout(done, 800));
  expect(await connections()).toBe(0);
});
