import { setTimeout as sleep } from "node:timers/promises";
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import type { FindCachedPage } from "../http/limits/busy-page.ts";
import { createScheduler } from "../http/limits/event-loop-scheduler.ts";
import { BULKHEADS, LIMITS, type Limits } from "../limits.ts";
import { bulkheadCounts } from "../queue.ts";
import { servePages, type ClientEntry } from "./pages.ts";

const [PASS_MS, QUERIES_MS] = [4, 20];
const stale = { "content-type": "text/html", "cache-control": "no-store" };
const WITHOUT_DATA = "200 No data";
const browser = { "sec-fetch-mode": "navigate" };
const pageOf = (text: string) => ({ headers: stale, body: Buffer.from(text), compressed: {} });

type FindPage = (url: string) => ReturnType<FindCachedPage>;
const none: FindPage = () => null;

/** A blog that renders each page in two passes. */
function startPages(
  findStalePage: FindPage,
  findCurrentPage = none,
  dataOf = (_url: string): unknown => "",
  limits: Partial<Limits> = {},
) {
  const [begun, finished, partial] = [new Set<string>(), new Set<string>(), new Array<string>()];
  const pass = () => {
    for (const end = performance.now() + PASS_MS; performance.now() < end;);
    return "";
  };
  const client: ClientEntry = {
    bootScript: "",
    describePage: () => ({ exists: true, path: "/:n", access: "public", module: "" }),
    async render({ url, execute, schedule }) {
      if (!execute) return { status: 200, html: await schedule(() => "No data") };
      await schedule(() => {
        begun.add(url);
        return pass();
      });
      await Promise.all([execute({ query: url, variables: {} }), sleep(QUERIES_MS)]);
      await schedule(pass);
      finished.add(url);
      return { status: 200, html: "A page" };
    },
  };
  const app = Fastify();
  onTestFinished(() => app.close());
  const assets = { sheet: "", worker: null, of: () => ({ sheet: "" }) as never };
  servePages(app, {
    ...{ client, assets, siteTitle: "Blog", publicUrl: "https://blog.test", hasMailServer: false },
    markPartial: ({ url }) => void partial.push(url),
    findCachedPage: ({ url }, form) => (form === "stale" ? findStalePage(url) : findCurrentPage(url)),
    executeFor:
      () =>
      async ({ query }) => ({ data: dataOf(String(query)) }),
    originOf: ({ url }) => `10.0.${Number(url.slice(1)) >> 8}.${Number(url.slice(1)) & 255}`,
    scheduler: createScheduler(app.server),
    limits: { ...LIMITS, wait: 200, stale: { after: 20, most: 10_000 }, ...limits },
  });
  const ask = async (n: number, headers = {}) => {
    const { statusCode, body } = await app.inject({ url: `/${n}`, headers });
    return `${statusCode} ${body.slice(0, 20)}`;
  };
  return { app, begun, finished, partial, ask };
}

/** Requests up to 1 500 pages a second: more than can be rendered. */
async function overload(findStalePage: FindPage) {
  const { ask, ...pages } = startPages(findStalePage);
  const requests = [];
  for (let n = 0; n < 400; n++) {
    requests.push(ask(n, browser));
    if (n % 3 === 0) await sleep(2);
  }
  return { ...pages, responses: await Promise.all(requests) };
}

test("A41-2: a page that has begun is finished, also while more pages are asked for than can be rendered", async () => {
  const { begun, finished, partial, responses } = await overload(none);
  expect(new Set(responses)).toEqual(new Set(["200 A page", WITHOUT_DATA]));
  expect(partial.length).toBeGreaterThan(50);
  expect(responses.filter((response) => response === WITHOUT_DATA)).toHaveLength(partial.length);
  expect(begun.size).toBeGreaterThan(50);
  expect(finished.size).toBe(begun.size);
});

test("A42-2: a reader who would wait gets the page as it was before its lists changed, if there is one", async () => {
  const { finished, responses } = await overload(() => pageOf("As it was"));
  const [current, former] = ["200 A page", "200 As it was"];
  expect(new Set(responses)).toEqual(new Set([current, former]));
  expect(responses.filter((response) => response === former).length).toBeGreaterThan(50);
  expect(responses.filter((response) => response === current)).toHaveLength(finished.size);
});

test("A44-3: pages without a stale form come before those that have one", async () => {
  const { ask } = startPages((url) => (url === "/0" ? pageOf("As it was") : null));
  const responses = await Promise.all(Array.from({ length: 12 }, (_, n) => ask(11 - n)));
  expect(responses).toEqual([...Array.from({ length: 11 }, () => "200 A page"), "200 As it was"]);
  expect(await ask(0)).toBe("200 A page");
});

test.each([
  { when: "before it begins", passes: 0 },
  { when: "while it reads its data", passes: 1 },
])("A44-5: a page that another request has built $when is not rendered again", async ({ passes }) => {
  const built = pageOf("Of another");
  const blog = startPages(none, () => (blog.begun.size === passes ? built : null));
  expect(await blog.ask(0)).toBe("200 Of another");
  expect([blog.begun.size, blog.finished.size]).toEqual([passes, 0]);
});

test("A47-3: pages of much data take turns, and the permit rests as long as each took; others do not wait", async () => {
  const data = "x".repeat(200_000);
  const dataOf = (url: string) => (Number(url.slice(1)) < 10 ? data : "");
  const { finished, ask } = startPages(none, none, dataOf, {
    ...LIMITS,
    stale: { after: 200, most: 10_000 },
  });
  const large = Promise.all(Array.from({ length: 10 }, (_, n) => ask(n, browser)));
  const small = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(10 + n)));
  expect(new Set(small)).toEqual(new Set(["200 A page"]));
  expect([...finished].filter((url) => Number(url.slice(1)) < 10).length).toBeLessThan(10);
  const responses = await large;
  expect(new Set(responses)).toEqual(new Set(["200 A page", WITHOUT_DATA]));
  await expect.poll(() => bulkheadCounts.large_pages).toEqual({ running: 0, waiting: 0 });
  expect(await ask(0)).toBe("200 A page");
});

test("A50-1: programs wait for a page of much data, and get 503 instead of one without its data", async () => {
  const dataOf = () => "x".repeat(200_000);
  const limits = { wait: 400, stale: { after: 20, most: 10_000 } };
  const { app, finished, ask } = startPages(none, none, dataOf, limits);
  const programs = [1, 2, 3, 4, 5, 6].map(async (n) => await app.inject(`/${n}`));
  await expect.poll(() => bulkheadCounts.large_pages.waiting, { interval: 1 }).toBeGreaterThan(3);
  expect(await ask(0, browser)).toBe(WITHOUT_DATA);
  expect(finished.size).toBeLessThan(6);
  for (const { statusCode } of await Promise.all(programs)) expect(statusCode).toBe(200);
  const crowd = await Promise.all(Array.from({ length: 80 }, async (_, n) => await app.inject(`/${7 + n}`)));
  const refused = crowd.find(({ statusCode }) => statusCode !== 200);
  expect(refused).toMatchObject({ statusCode: 503, body: "No data" });
  expect(refused?.headers).toMatchObject({ "retry-after": "5", "cache-control": "no-store" });
});

test("where others fill the queue of all, further readers get the page without its data", async () => {
  const { ask } = startPages(none);
  const responses = await Promise.all(Array.from({ length: 300 }, (_, n) => ask(n, browser)));
  expect(new Set(responses)).toEqual(new Set(["200 A page", WITHOUT_DATA]));
});

test("B50-2: where the queue of a network is full, further requests get a small page at once", async () => {
  const { app, ask } = startPages(none);
  const most = BULKHEADS.pages.perKey.maxQueued;
  const flood = Array.from(
    { length: most + 11 },
    async () => await app.inject({ url: "/1", headers: browser }),
  );
  const responses = await Promise.all(flood);
  const refused = responses.filter(({ statusCode }) => statusCode === 503);
  expect(refused).toHaveLength(10);
  for (const { body } of refused) expect(body).toContain("<h1>Please come back in a moment</h1>");
  expect(await ask(2)).toBe("200 A page");
});

test("B48-1: a page that was large before begins once it has its turn", async () => {
  const dataOf = () => "x".repeat(200_000);
  const { begun, finished, ask } = startPages(none, none, dataOf, { stale: { after: 2_000, most: 10_000 } });
  const askAll = () => Promise.all(Array.from({ length: 10 }, (_, n) => ask(n)));
  await askAll();
  expect(begun.size).toBe(10);
  for (const pages of [begun, finished]) pages.clear();
  const again = askAll();
  await expect.poll(() => finished.size, { interval: 1 }).toBeGreaterThan(0);
  expect(begun.size).toBeLessThan(5);
  await again;
  expect(begun).toEqual(finished);
  await expect.poll(() => bulkheadCounts.large_pages).toEqual({ running: 0, waiting: 0 });
});

test("A49-4: a stale large page takes its turn among the others of many readers", async () => {
  const { ask } = startPages(
    (url) => (url === "/0" ? pageOf("As it was") : null),
    none,
    () => "x".repeat(200_000),
    { stale: { after: 2_000, most: 10_000 } },
  );
  const others = Promise.all([1, 2, 3].map((n) => ask(n)));
  await expect.poll(() => bulkheadCounts.large_pages.waiting, { interval: 1 }).toBe(2);
  expect(await ask(0)).toBe("200 A page");
  await others;
});

test("a reader of a large page gets its stale form soon while other large pages are built", async () => {
  const data = "x".repeat(200_000);
  const { finished, ask } = startPages(
    (url) => (url === "/0" ? pageOf("As it was") : null),
    none,
    () => data,
  );
  expect(await ask(0)).toBe("200 A page");
  finished.clear();
  const others = Promise.all([ask(1), ask(2)]);
  await expect.poll(() => bulkheadCounts.large_pages.running).toBe(1);
  expect(await ask(0)).toBe("200 As it was");
  expect(finished.size).toBeLessThan(2);
  await others;
});

test("A49-1: control characters and comments do not make a page large", async () => {
  const comments = { nodes: Array.from({ length: 50 }, () => ({ text: "x".repeat(2_000) })) };
  const data = { post: { title: "\u0001".repeat(30_000), comments } };
  const { finished, ask } = startPages(none, none, () => data);
  expect(await Promise.all([1, 2, 3].map((n) => ask(n)))).toEqual(Array(3).fill("200 A page"));
  expect(bulkheadCounts.large_pages).toEqual({ running: 0, waiting: 0 });
  expect(finished.size).toBe(3);
});
