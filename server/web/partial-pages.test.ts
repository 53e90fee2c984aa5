import pg from "pg";
import { expect, test } from "vitest";
import { LIMITS } from "../limits.ts";
import { bulkheadCounts } from "../queue.ts";
import { startTestApp } from "../testing/app.ts";
import { createPost } from "../testing/factories.ts";
import { json, startProcess } from "../testing/processes.ts";

const blog = await startTestApp();
const { ask } = await startProcess(blog, {
  limits: { ...LIMITS, wait: 500, stale: { after: 100, most: 60_000 } },
});
const maya = await blog.signUp({ username: "Maya" });
const sentences = Array.from({ length: 700 }, (_, n) => `Sentence ${n}: ${"word ".repeat(18)}`);
const { id } = await createPost(blog.db, {
  ...{ userId: maya.id, title: "A long story", description: sentences.join("\n\n") },
});

const browser = { "sec-fetch-mode": "navigate" };

async function readPage(url: string, headersSent: Record<string, string> = browser) {
  const { status, headers, text } = await ask(url, { headers: headersSent });
  const state = /<script id="state" type="application\/json">(.*?)<\/script>/s.exec(text)?.[1] ?? "{}";
  const { cache, site } = JSON.parse(state) as { cache: object; site: { isPartial: boolean } };
  return {
    status,
    caching: headers["cache-control"],
    isPartial: site.isPartial,
    hasText: text.includes("Sentence 699") && text.includes("A long story"),
    hasData: Object.keys(cache).length > 0,
  };
}

const whole = { status: 200, caching: "no-cache", isPartial: false, hasText: true, hasData: true };
const partial = { status: 200, caching: "no-store", isPartial: true, hasText: false, hasData: false };
const pathOf = (visit: number) => `/posts/details/${id}?visit=${visit}`;

/** Reads the pages, which are recognized as large from then on, and removes them from the cache. */
async function prepare(...visits: number[]): Promise<void> {
  for (const visit of visits) expect(await readPage(pathOf(visit))).toEqual(whole);
  const body = JSON.stringify({ title: `A long story, version ${visits.join()}` });
  const headers = { ...json, authorization: `Bearer ${maya.token}` };
  expect((await ask(`/api/posts/${id}`, { method: "PUT", headers, body })).status).toBe(200);
}

/** @returns ends the lock */
async function lockPosts(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: String(blog.pool.options.connectionString) });
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE "Post" IN ACCESS EXCLUSIVE MODE`);
  return () => client.end();
}

/** Runs `work` while another page of much data waits for the database, and holds the permit of such pages. */
async function whileLarge<T>(other: number, work: () => Promise<T>): Promise<T> {
  const unlock = await lockPosts();
  await expect.poll(() => bulkheadCounts.large_pages.running).toBe(0);
  const held = readPage(pathOf(other));
  await expect.poll(() => bulkheadCounts.large_pages.running).toBe(1);
  const result = await work();
  await unlock();
  expect(await held).toEqual(whole);
  await expect.poll(() => bulkheadCounts.large_pages.running).toBe(0);
  return result;
}

test("readers who would wait for a page of much data get it without its data, which is not stored", async () => {
  await prepare(1, 2);
  expect(await whileLarge(1, () => readPage(pathOf(2)))).toEqual(partial);
  expect(await readPage(pathOf(2))).toEqual(whole);
});

test("A50-1: programs get it with 503, so that search engines come back instead of removing the page", async () => {
  await prepare(3, 4);
  expect(await whileLarge(3, () => readPage(pathOf(4), {}))).toEqual({ ...partial, status: 503 });
  expect(await readPage(pathOf(4), {})).toEqual(whole);
});

test("B50-1: it is the same for all URLs of a path, and names none", async () => {
  await prepare(5, 6);
  const texts = await whileLarge(5, () =>
    Promise.all([pathOf(6), pathOf(6)].map(async (url) => (await ask(url, { headers: browser })).text)),
  );
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]).toMatch(/<title>Blog<\/title>/);
  expect(texts[0]).not.toMatch(/noindex|visit=/);
});

test("A50-4: readers who have waited two seconds for a page that is built get it without its data", async () => {
  const unlock = await lockPosts();
  const path = "/posts?visit=1";
  const first = readPage(path);
  const others = await Promise.all([1, 2, 3].map(() => readPage(path)));
  expect(others).toEqual(Array.from({ length: 3 }, () => partial));
  await unlock();
  expect(await first).toEqual({ ...whole, hasText: false });
});
