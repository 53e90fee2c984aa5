import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createComment, createPost, createUser } from "../testing/factories.ts";

let blog: TestApp;
let url: string;
const lines: string[] = [];
let ids: string[];
beforeAll(async () => {
  blog = await startTestApp();
  url = await blog.app.listen({ port: 0, host: "127.0.0.1" });
  const { id: userId } = await createUser(blog.db, { username: "Maya" });
  ids = [];
  for (const title of ["Slate", "Moss", "Fern"]) ids.push((await createPost(blog.db, { userId, title })).id);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  lines.splice(0);
});

function prepare(env: Record<string, string> = {}): void {
  // Another test file in this worker may have run an example.
  vi.resetModules();
  vi.stubEnv("BLOG_URL", url);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
}

test("urql.ts, apollo.ts, openapi-fetch.ts and fetch.ts print what the blog has", async () => {
  prepare();
  await import("../../examples/urql.ts");
  expect(lines.splice(0)).toEqual(["Fern, by Maya", "Moss, by Maya", "Slate, by Maya"]);
  await import("../../examples/apollo.ts");
  expect(lines.splice(0)).toEqual(["Fern", "Moss", "Slate"]);
  await import("../../examples/openapi-fetch.ts");
  expect(lines.splice(0)).toEqual(["3 of 3 posts", "Fern: 0 likes", "Moss: 0 likes", "Slate: 0 likes"]);
  await import("../../examples/fetch.ts");
  expect(lines).toEqual(["3 posts", "UNAUTHENTICATED: no token provided, access denied"]);
});

test("relay.ts reads the comments of the newest post page by page", async () => {
  prepare();
  const { id: postId, userId } = await blog.db.post.findUniqueOrThrow({ where: { id: ids[2]! } });
  for (const text of ["One", "Two", "Three", "Four", "Five"])
    await createComment(blog.db, { postId, userId, text });
  await import("../../examples/relay.ts");
  const all = ["Maya: One", "Maya: Two", "Maya: Three", "Maya: Four", "Maya: Five"];
  expect(lines).toEqual(["Fern: 5 comments", ...all]);
});

test("curl.sh reads both APIs", async () => {
  const { stdout } = await promisify(execFile)("sh", ["examples/curl.sh"], {
    env: { ...process.env, BLOG_URL: url },
  });
  expect(stdout).toContain('"title":"Slate"');
  expect(stdout).toContain('{"data":{"posts":{"nodes":[{"title":"Fern"}]}}}');
  expect(stdout).toContain('{"data":{"postsCount":3}}');
});

test("sync.ts follows a new, a changed and a deleted post", async () => {
  prepare({ POLLS: "3", PAUSE: "200" });
  const [slate = "", moss = ""] = ids;
  const { userId } = await blog.db.post.findUniqueOrThrow({ where: { id: slate } });
  const syncing = import("../../examples/sync.ts");
  await vi.waitUntil(() => lines.length === 1, 10_000);
  await blog.db.post.update({ where: { id: moss }, data: { title: "Lichen" } });
  await createPost(blog.db, { userId, title: "Rain" });
  await createPost(blog.db, { userId, title: "Wind" });
  await vi.waitUntil(() => lines.length === 2, 10_000);
  await blog.db.post.delete({ where: { id: slate } });
  await syncing;
  expect(lines).toEqual(["3 posts", "5 posts", "4 posts"]);
});
