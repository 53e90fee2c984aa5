import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createPost } from "../testing/factories.ts";
import { startProcess, type Process } from "../testing/processes.ts";

// Each kind of route, answered by the application and then from the cache: media from their files both times.

let blog: TestApp;
let process: Process;
const picture = "0a0b0c0d-0000-4000-8000-00000000beef";
const media = `/media/0a/${picture}/picture.jpg`;
beforeAll(async () => {
  blog = await startTestApp();
  const { id: userId } = await blog.signUp({ username: "Maya" });
  for (let n = 0; n < 12; n++) await createPost(blog.db, { userId });
  await mkdir(join(blog.mediaFolder, "0a", picture), { recursive: true });
  await writeFile(join(blog.mediaFolder, "0a", picture, "picture.jpg"), "0123456789".repeat(300));
  process = await startProcess(blog);
});

const routes = [
  ["a page", "/posts"],
  ["a page of REST", "/api/posts?pageNumber=1"],
  ["a list", "/api/posts"],
  ["a query", `/graphql?query=${encodeURIComponent("{ posts { nodes { id title description } } }")}`],
  ["a feed", "/feed.xml"],
  ["a picture", media],
] as const;
/** Their ETag is not a hash of the body, and stands for what is cached. */
const isStream = (path: string) => path === "/api/posts";
const isQuery = (path: string) => path.startsWith("/graphql");

const gzip = { "accept-encoding": "gzip" };
const transient = ["date", "x-request-id", "transfer-encoding", "content-length", "keep-alive", "connection"];
const steady = (headers: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !transient.includes(name)));

beforeEach(() => process.changes.publish(["*"]));

describe.each(routes)("%s: %s", (_name, path) => {
  const ask = (headers: Record<string, string> = {}, method = "GET") =>
    process.ask(path, { method, headers: { ...gzip, ...headers } });

  test("has the same headers and body from the cache", async () => {
    const [first, again] = [await ask(), await ask()];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.text).toBe(first.text);
    expect(steady(again.headers)).toEqual(steady(first.headers));
    expect(await process.caches(path, { headers: gzip })).toBe(path !== media);
  });

  test("by HEAD has the headers of GET, and no body", async () => {
    if (isQuery(path)) return expect((await ask({}, "HEAD")).status).toBe(405);
    const uncached = await ask({}, "HEAD");
    const get = await ask();
    const cached = await ask({}, "HEAD");
    for (const head of [uncached, cached]) expect([head.status, head.raw.length]).toEqual([200, 0]);
    expect(steady(cached.headers)).toEqual(steady(get.headers));
    const { etag, ...rest } = steady(uncached.headers);
    expect(steady(get.headers)).toMatchObject(rest);
    if (!isStream(path)) expect(etag).toBe(get.headers["etag"]);
  });

  test("is 304 to its ETag, by GET and HEAD", async () => {
    const { headers } = await ask();
    const conditional = { "if-none-match": headers["etag"] ?? "" };
    const cached = [await ask(conditional), ...(isQuery(path) ? [] : [await ask(conditional, "HEAD")])];
    process.changes.publish(["*"]);
    const uncached = isStream(path) ? [] : [await ask(conditional)];
    for (const { status, raw, headers: own } of [...cached, ...uncached]) {
      expect([status, raw.length]).toEqual([304, 0]);
      expect(own["cache-control"]).toBe(headers["cache-control"]);
      expect(own["etag"]?.replace(/^W\//, "")).toBe(headers["etag"]?.replace(/^W\//, ""));
    }
    expect((await ask({ "if-none-match": '"other"' })).status).toBe(200);
  });

  test("answers Range with the range of a file, and with the whole of anything else", async () => {
    const { headers, text } = await ask();
    const range = { range: "bytes=2-5" };
    const etag = headers["etag"] ?? "";
    for (const state of ["cached", "uncached"]) {
      if (state === "uncached") process.changes.publish(["*"]);
      const part = await ask(range);
      expect([part.status, part.text], state).toEqual(path === media ? [206, "2345"] : [200, text]);
      const changed = await ask({ ...range, "if-range": '"other"' });
      expect([changed.status, changed.text], state).toEqual([200, text]);
      if (state === "cached")
        expect((await ask({ ...range, "if-none-match": etag })).status, state).toBe(304);
    }
  });
});

test("B40-2: requests with the current ETag fill the cache, and share a response", async () => {
  const path = "/feed.xml";
  const etag = (await process.ask(path)).headers["etag"] ?? "";
  process.changes.publish(["posts"]);
  const { misses } = process.responseCache.size();
  const request = { headers: { "if-none-match": etag } };
  const responses = await Promise.all(Array.from({ length: 20 }, () => process.ask(path, request)));
  for (const { status, text, headers } of responses)
    expect([status, text, headers["etag"], headers["content-length"]]).toEqual([304, "", etag, undefined]);
  expect(process.responseCache.size().misses - misses).toBe(1);
  expect(await process.caches(path)).toBe(true);
});
