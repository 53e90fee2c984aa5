import { beforeAll, expect, test } from "vitest";
import { startBlogWithPost, type BlogWithPost } from "../testing/blog-with-post.ts";
import { createLike, createPost, createUser } from "../testing/factories.ts";
import { startProcess, type Process } from "../testing/processes.ts";

let blog: BlogWithPost["blog"];
let process: Process;
let maya: BlogWithPost["maya"];
let postId: string;
beforeAll(async () => {
  ({ blog, maya, postId } = await startBlogWithPost());
  process = await startProcess(blog);
});

test("B40-2: requests with the current ETag fill the cache, and share a response", async () => {
  const path = "/feed.xml";
  const etag = (await process.ask(path)).headers["etag"] ?? "";
  await createLike(blog.db, { postId, userId: maya.id });
  await new Promise((done) => setTimeout(done, 200));
  const { misses } = process.responseCache.size();
  const request = { headers: { "if-none-match": etag } };
  const responses = await Promise.all(Array.from({ length: 20 }, () => process.ask(path, request)));
  for (const { status, text, headers } of responses)
    expect([status, text, headers["etag"], headers["content-length"]]).toEqual([304, "", etag, undefined]);
  expect(process.responseCache.size().misses - misses).toBe(1);
  expect(await process.caches(path)).toBe(true);
});

test("A40-4: a post of another author leaves the page of a post in the cache, one of its author does not", async () => {
  const path = `/posts/details/${postId}`;
  const other = await createUser(blog.db);
  await process.ask(path);
  await createPost(blog.db, { userId: other.id });
  await new Promise((done) => setTimeout(done, 200));
  expect(await process.caches(path)).toBe(true);
  const { title } = await createPost(blog.db, { userId: maya.id, title: "The next one" });
  await expect.poll(async () => (await process.ask(path)).text).toContain(title);
});
