import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../limits.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";

const PLACES = 5;
let blog: TestApp;
// /metrics is open to this machine on a blog that has no public address.
const publicUrl = "http://localhost";
beforeAll(async () => {
  blog = await startTestApp({
    publicUrl,
    limits: { ...LIMITS, inFlightAtFirst: PLACES, inFlightAtLeast: PLACES },
  });
});

/** Makes every place be taken by calls that wait for a locked table, until `work` is done. */
async function whileFull(work: () => Promise<void>, app = blog) {
  const client = new pg.Client({ connectionString: String(app.pool.options.connectionString) });
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE "Category" IN ACCESS EXCLUSIVE MODE`);
  const waiting = Array.from({ length: PLACES }, () => app.rest("GET", "/categories"));
  try {
    const held = `SELECT FROM pg_locks WHERE NOT granted AND relation = '"Category"'::regclass`;
    await expect.poll(async () => (await client.query(held)).rowCount, { timeout: 4_000 }).toBe(PLACES);
    await work();
  } finally {
    await client.end();
  }
  return Promise.all(waiting);
}

describe("while more is under way than can be served", () => {
  test("one more call is refused at once, in its own language, with a time to come back", async () => {
    // From then on this document is known.
    expect((await blog.gql("{ postsCount }")).status).toBe(200);
    const served = await whileFull(async () => {
      const began = performance.now();
      const inRest = await blog.rest("GET", "/categories");
      expect(inRest).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
      expect(inRest.body).toEqual({ message: expect.stringContaining("busy"), code: "UNAVAILABLE" });

      for (const query of ["{ postsCount }", "{ usersCount }"]) {
        const inGraphql = await blog.gql(query);
        expect(inGraphql).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
        expect(inGraphql.body.errors[0].extensions).toEqual({ code: "UNAVAILABLE", retryAfter: 5 });
      }

      const page = await blog.app.inject("/posts");
      expect([page.statusCode, page.headers["retry-after"]]).toEqual([503, "5"]);
      expect(page.headers["content-type"]).toContain("text/html");
      expect(page.body).toContain("<h1>Please come back in a moment</h1>");
      expect(performance.now() - began).toBeLessThan(1_000);
    });
    expect(served.map(({ status }) => status)).toEqual(Array(PLACES).fill(200));
  });

  test("whoever watches over the process hears from it", async () => {
    await whileFull(async () => {
      for (const path of ["/health", "/ready", "/metrics"])
        expect((await blog.app.inject(path)).statusCode, path).toBe(200);
    });
  });

  test("A6: a call that only says it is a form is refused like any other", async () => {
    await whileFull(async () => {
      const headers = { "content-type": "multipart/form-data; boundary=x" };
      const { statusCode } = await blog.app.inject({ url: "/api/categories", headers });
      expect(statusCode).toBe(503);
    });
  });

  test("refused uploads write nothing, and uploads wait in their own queue", async () => {
    await whileFull(async () => {
      const form = [{ name: "image", value: Buffer.from("no picture"), filename: "a.jpg" }];
      expect((await blog.restForm("POST", "/posts", null, form)).status).toBe(401);
    });
  });
});

test("refusals have a pace: who asks again in the same breath does not take the time of the others", async () => {
  const limits = { ...LIMITS, refusals: 50, inFlightAtFirst: PLACES, inFlightAtLeast: PLACES };
  const paced = await startTestApp({ limits });
  await whileFull(async () => {
    const began = performance.now();
    const refused = await Promise.all(Array.from({ length: 26 }, () => paced.rest("GET", "/posts/count")));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    expect(performance.now() - began).toBeGreaterThan(400);
  }, paced);
});

test("a page that would have to wait too long for those before it is refused as a page", async () => {
  const app = await startTestApp({ limits: { ...LIMITS, wait: 200 } });
  const client = new pg.Client({ connectionString: String(app.pool.options.connectionString) });
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE "Category" IN ACCESS EXCLUSIVE MODE`);
  const pages = Array.from({ length: 3 }, async () => await app.app.inject("/"));
  const last = await pages[2]?.finally(() => client.end());
  expect([last?.statusCode, last?.headers["retry-after"]]).toEqual([503, "5"]);
  expect(last?.body).toContain("<h1>Please come back in a moment</h1>");
  const served = await Promise.all(pages.slice(0, 2));
  expect(served.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
});

test("the slower the answers, the fewer places; with the crowd gone there are as many as before", async () => {
  const limits = { ...LIMITS, wait: 100, inFlightAtFirst: PLACES + 2, inFlightAtLeast: PLACES };
  const slow = await startTestApp({ limits });
  const count = async () => (await slow.rest("GET", "/posts/count")).status;
  await whileFull(async () => {
    expect(await count()).toBe(200);
    await expect.poll(count, { timeout: 4_000, interval: 100 }).toBe(503);
  }, slow);
  await expect.poll(count, { timeout: 4_000 }).toBe(200);
});

test("a place is free again whatever became of the call", async () => {
  await whileFull(async () => {});
  for (let n = 0; n < 3 * PLACES; n++) {
    expect((await blog.rest("GET", "/posts/unknown")).status).toBe(400);
    expect((await blog.rest("GET", "/nothing")).status).toBe(404);
    expect((await blog.gql("{ nothing }")).status).toBe(400);
  }
  expect((await blog.rest("GET", "/categories")).status).toBe(200);
});
