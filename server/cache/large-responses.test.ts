import { gunzipSync, gzipSync } from "node:zlib";
import Fastify from "fastify";
import { beforeAll, expect, test, vi } from "vitest";
import type { CacheTag } from "../domain/ports.ts";
import { compress } from "../http/compression.ts";
import { sendCachedPage } from "../http/limits/busy-page.ts";
import { startBlogWithPost } from "../testing/blog-with-post.ts";
import { createPost } from "../testing/factories.ts";
import { startProcess, type Process } from "../testing/processes.ts";
import type { CachedResponse } from "./cached-response.ts";
import { openResponseCache } from "./response-cache.ts";

let process: Process;
let [large, medium] = ["", ""];
const [br, gzip, both] = ["br", "gzip", "br, gzip"].map((encoding) => ({
  headers: { "accept-encoding": encoding },
}));
const stale = { "content-type": "text/html", "cache-control": "no-store" };
const size = () => process.responseCache.size();

beforeAll(async () => {
  const { blog, maya, postId } = await startBlogWithPost();
  const { id } = await createPost(blog.db, { userId: maya.id });
  [large, medium] = [`/posts/details/${postId}`, `/posts/details/${id}`];
  const write = (to: string, length: number) =>
    blog.db.post.update({ where: { id: to }, data: { description: "<".repeat(length) } });
  await Promise.all([write(postId, 40_000), write(id, 8_000)]);
  process = await startProcess(blog);
});

test("A46-2: a large page takes little of the cache, and is sent from there to all who accept gzip", async () => {
  for (const [n, request] of [gzip, br, {}].entries()) {
    const page = `${large}?n=${n}`;
    const { bytes } = size();
    const first = await process.ask(page, request);
    expect(first.text.length).toBeGreaterThan(200_000);
    await expect.poll(() => size().bytes - bytes).toBeLessThan(60_000);
    for (const each of [both, gzip]) {
      expect(await process.caches(page, each)).toBe(true);
      const { text, headers } = await process.ask(page, each);
      expect([text === first.text, headers["content-encoding"]]).toEqual([true, "gzip"]);
    }
    const head = await process.ask(page, { method: "HEAD" });
    expect([head.status, head.headers["content-length"]]).toEqual([200, undefined]);
    for (const each of [br, {}]) {
      const { text, headers } = await process.ask(page, each);
      expect([text === first.text, headers["content-encoding"]]).toEqual([true, undefined]);
    }
    await expect.poll(() => size().bytes - bytes).toBeLessThan(60_000);
  }
});

test("B50-3: concurrent requests share the build of a large page, whatever they accept", async () => {
  const begin = vi.spyOn(process.responseCache, "begin");
  const page = `${large}?together`;
  const requests = [gzip, ...Array.from({ length: 10 }, () => [{}, both]).flat()];
  const responses = await Promise.all(requests.map((each) => process.ask(page, each)));
  expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  const builds = begin.mock.calls.filter(([key]) => key.includes(page));
  begin.mockRestore();
  expect(builds).toHaveLength(1);
});

test("a page of medium length takes little of the cache, and is sent from there in each form", async () => {
  for (const [n, request] of [gzip, br, {}].entries()) {
    const page = `${medium}?n=${n}`;
    const { bytes } = size();
    const first = await process.ask(page, request);
    expect(Math.abs(first.text.length - 100_000)).toBeLessThan(25_000);
    await expect.poll(() => size().bytes - bytes).toBeLessThan(40_000);
    for (const each of [both, gzip, br, {}]) {
      expect(await process.caches(page, each)).toBe(true);
      const { status, text } = await process.ask(page, each);
      expect([status, text === first.text]).toEqual([200, true]);
    }
    const head = await process.ask(page, { method: "HEAD" });
    expect(Number(head.headers["content-length"])).toBe(Buffer.byteLength(first.text));
    const conditional = { headers: { "if-none-match": first.headers["etag"] ?? "" } };
    expect((await process.ask(page, conditional)).status).toBe(304);
    expect((await process.ask(page, both)).headers["content-encoding"]).toBe("br");
    await expect.poll(async () => (await process.ask(page, gzip)).headers["content-encoding"]).toBe("gzip");
    expect(size().bytes - bytes).toBeLessThan(60_000);
  }
});

test("a large page is sent while it is stale to those who accept gzip", async () => {
  const app = Fastify();
  const gzipped = { headers: stale, body: null, compressed: { gzip: gzipSync("A page.") } };
  app.get("/", (_request, reply) => sendCachedPage(reply, gzipped));
  const { headers, rawPayload } = await app.inject("/");
  expect(gunzipSync(rawPayload).toString()).toBe("A page.");
  expect(headers).toMatchObject({ ...stale, "content-encoding": "gzip", vary: "Accept-Encoding" });

  let publish = (_tags: CacheTag[]) => {};
  const changes = {
    isListening: () => true,
    onChange: (listener: typeof publish) => void (publish = listener),
  };
  const cache = openResponseCache(changes, 10_000_000);
  const body = Buffer.from("A page. ".repeat(20_000));
  const page: CachedResponse = { headers: stale, body, compressed: {}, heads: {}, route: "page" };
  const tracker = cache.begin("page", "");
  tracker.tags.add("posts");
  expect(cache.store("page", page, tracker)).toBe(true);
  // Another large one may be compressed just now.
  await expect.poll(() => compress(page, "br").then(() => page.body)).toBeNull();
  cache.resize("page", page);
  expect(cache.size().bytes).toBeLessThan(10_000);
  publish(["posts"]);
  expect(gunzipSync(cache.findStale("page")?.compressed.gzip ?? "").equals(body)).toBe(true);
});

test("A47-3: large responses evict each other, and no small ones", () => {
  const cache = openResponseCache({ isListening: () => true, onChange: () => undefined }, 10_000_000);
  const store = (key: string, bytes: number) => {
    const tracker = cache.begin(key, "reader");
    tracker.tags.add("posts");
    const body = Buffer.alloc(bytes);
    expect(cache.store(key, { headers: {}, body, compressed: {}, heads: {}, route: "page" }, tracker)).toBe(
      true,
    );
  };
  const count = (kind: string, numbers: number) =>
    Array.from({ length: numbers }, (_, n) => cache.findCurrent(`${kind} ${n}`)).filter(Boolean).length;
  for (let n = 0; n < 150; n++) store(`small ${n}`, 30_000);
  for (let n = 0; n < 200; n++) {
    store(`large ${n}`, 140_000);
    if (n % 2) cache.find(`large ${n}`, undefined, () => "another");
  }
  expect(count("small", 150)).toBe(150);
  expect(count("large", 200)).toBeGreaterThan(30);
  expect(cache.size().bytes).toBeLessThanOrEqual(10_000_000);
  // Nothing else needs the other half.
  for (let n = 0; n < 400; n++) store(`other ${n}`, 30_000);
  expect(count("large", 200)).toBeGreaterThan(30);
});
