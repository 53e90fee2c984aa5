import { setTimeout as sleep } from "node:timers/promises";
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { createScheduler } from "../http/limits/event-loop-scheduler.ts";
import { LIMITS } from "../limits.ts";
import { servePages, type ClientEntry } from "./pages.ts";

const [PASS_MS, QUERIES_MS] = [4, 20];

test("A41-2: a page that has begun is finished, also while more pages are asked for than can be rendered", async () => {
  const [begun, finished] = [new Set<string>(), new Set<string>()];
  const pass = () => {
    for (const end = performance.now() + PASS_MS; performance.now() < end;);
    return "";
  };
  const client: ClientEntry = {
    bootScript: "",
    describePage: () => ({ exists: true, access: "public", module: "" }),
    async render({ url, schedule }) {
      await schedule(() => {
        begun.add(url);
        return pass();
      });
      await sleep(QUERIES_MS);
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
    findStalePage: () => null,
    executeFor: () => async () => ({}),
    originOf: ({ url }) => `10.0.${Number(url.slice(1)) >> 8}.${Number(url.slice(1)) & 255}`,
    scheduler: createScheduler(app.server),
    limits: { ...LIMITS, wait: 200 },
  });
  const statuses: number[] = [];
  const requests = [];
  for (let n = 0; n < 400; n++) {
    requests.push(app.inject(`/${n}`).then(({ statusCode }) => statuses.push(statusCode)));
    await sleep(2);
  }
  await Promise.all(requests);
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(50);
  expect(begun.size).toBeGreaterThan(50);
  expect(finished.size).toBe(begun.size);
});
