import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../limits.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";

const PERMITS = 5;
let blog: TestApp;
// Without a public address /metrics is open to this machine.
const publicUrl = "http://localhost";
beforeAll(async () => {
  blog = await startTestApp({
    publicUrl,
    limits: { ...LIMITS, inFlightAtFirst: PERMITS, inFlightAtLeast: PERMITS },
  });
});

/** Holds every permit with requests that wait for a locked table, until `work` is done. */
async function whileFull(work: () => Promise<void>, app = blog) {
  const client = new pg.Client({ connectionString: String(app.pool.options.connectionString) });
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE "Category" IN ACCESS EXCLUSIVE MODE`);
  const waiting = Array.from({ length: PERMITS }, () => app.rest("GET", "/categories"));
  try {
    const held = `SELECT FROM pg_locks WHERE NOT granted AND relation = '"Category"'::regclass`;
    await expect.poll(async () => (await client.query(held)).rowCount, { timeout: 4_000 }).toBe(PERMITS);
    await work();
  } finally {
    await client.end();
  }
  return Promise.all(waiting);
}

describe("under overload", () => {
  test("a further request is refused at once, in the format of its API, with Retry-After", async () => {
    // Compiles the document.
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
    expect(served.map(({ status }) => status)).toEqual(Array(PERMITS).fill(200));
  });

  test("the network that holds all permits is refused, and others are served", async () => {
    const statusOf = async (remoteAddress: string) =>
      (await blog.app.inject({ url: "/api/posts", remoteAddress })).statusCode;
    await whileFull(async () => {
      expect([await statusOf("127.0.0.1"), await statusOf("203.0.113.9")]).toEqual([503, 200]);
    });
  });

  test("monitoring endpoints respond", async () => {
    await whileFull(async () => {
      for (const path of ["/health", "/ready", "/metrics"])
        expect((await blog.app.inject(path)).statusCode, path).toBe(200);
      expect((await blog.rest("GET", "/categories")).status).toBe(503);
      const { body } = await blog.app.inject("/metrics");
      expect(body).toMatch(new RegExp(`^blog_http_requests_in_flight ${PERMITS}$`, "m"));
      expect(body).toMatch(new RegExp(`^blog_http_requests_in_flight_limit ${PERMITS}$`, "m"));
      expect(body).toMatch(/^blog_http_requests_refused_total [1-9]/m);
    });
  });

  test("A6: a request that claims to be a form, of a route without uploads, is refused like any other", async () => {
    await whileFull(async () => {
      const headers = { "content-type": "multipart/form-data; boundary=x" };
      for (const method of ["GET", "POST"] as const) {
        const { statusCode } = await blog.app.inject({ method, url: "/api/categories", headers });
        expect([method, statusCode]).toEqual([method, 503]);
      }
    });
  });

  test("uploads wait in their own queue, and refused ones write nothing", async () => {
    await whileFull(async () => {
      const form = [{ name: "image", value: Buffer.from("no picture"), filename: "a.jpg" }];
      expect((await blog.restForm("POST", "/posts", null, form)).status).toBe(401);
    });
  });
});

test("refusals are rate-limited: immediate retries do not starve other requests", async () => {
  const limits = { ...LIMITS, refusals: 50, inFlightAtFirst: PERMITS, inFlightAtLeast: PERMITS };
  const paced = await startTestApp({ limits });
  await whileFull(async () => {
    const began = performance.now();
    const refused = await Promise.all(Array.from({ length: 26 }, () => paced.rest("GET", "/posts/count")));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    expect(performance.now() - began).toBeGreaterThan(400);
  }, paced);
});

test("A2: a request whose refusal is delayed gets no second response for its slow body", async () => {
  const slow = { uploadStart: 20, sweep: 10, refusals: 25 };
  const limits = { ...LIMITS, ...slow, inFlightAtFirst: PERMITS, inFlightAtLeast: PERMITS };
  const app = await startTestApp({ limits });
  await app.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.app.server.address() as AddressInfo;
  const head = "Host: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100";
  await whileFull(async () => {
    const responses = Array.from({ length: 20 }, () => {
      const socket = connect(port, "127.0.0.1").on("error", () => undefined);
      socket.write(`GET / HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`);
      return text(socket);
    });
    for (const response of await Promise.all(responses)) expect(response).toMatch(/^HTTP\/1.1 503 /);
  }, app);
});

test("clients that have left do not use up the queue of refusals", async () => {
  const pace = { refusals: 25, delayedRefusals: 50 };
  const limits = { ...LIMITS, ...pace, inFlightAtFirst: PERMITS, inFlightAtLeast: PERMITS };
  const app = await startTestApp({ publicUrl, limits });
  await app.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.app.server.address() as AddressInfo;
  const ask = () => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    socket.write("GET /api/posts/count HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    return socket;
  };
  const refused = async () => {
    const { body } = await app.app.inject("/metrics");
    return Number(/^blog_http_requests_refused_total (\d+)$/m.exec(body)?.[1]);
  };
  await whileFull(async () => {
    const left = Array.from({ length: limits.delayedRefusals }, ask);
    await expect.poll(refused, { interval: 10 }).toBe(left.length);
    for (const socket of left) socket.destroy();
    await setTimeout(100);
    const responses = await Promise.all(Array.from({ length: 30 }, () => text(ask())));
    for (const response of responses) expect(response).toMatch(/^HTTP\/1.1 503 /);
  }, app);
});

test.each([
  { who: "browsers", headers: { "sec-fetch-mode": "navigate" }, status: 200, retryAfter: undefined },
  { who: "programs", headers: {}, status: 503, retryAfter: "5" },
])("a page that would wait too long is sent to $who without its data, and with $status", async (each) => {
  const app = await startTestApp({ limits: { ...LIMITS, wait: 1 } });
  const ask = async () => await app.app.inject({ url: "/", headers: each.headers });
  expect((await ask()).statusCode).toBe(200);
  // Two begin; the others wait for their permits. Each needs one for each of its passes.
  const pages = await Promise.all(Array.from({ length: 20 }, ask));
  const kinds = pages.map(({ statusCode, headers, body }) => ({
    status: statusCode,
    caching: headers["cache-control"],
    retryAfter: headers["retry-after"],
    hasData: body.includes("ROOT_QUERY"),
  }));
  expect(kinds).toContainEqual({ status: 200, caching: "no-cache", retryAfter: undefined, hasData: true });
  const { status, retryAfter } = each;
  expect(kinds).toContainEqual({ status, caching: "no-store", retryAfter, hasData: false });
});

test("pages whose data a lock delays get theirs later, and hold up no other page", async () => {
  const app = await startTestApp();
  const client = new pg.Client({ connectionString: String(app.pool.options.connectionString) });
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE "Category" IN ACCESS EXCLUSIVE MODE`);
  const pages = Array.from({ length: 3 }, async () => await app.app.inject("/"));
  expect((await app.app.inject("/login")).statusCode).toBe(200);
  await client.end();
  expect((await Promise.all(pages)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
});

test("slower responses reduce the permits, which recover after the load", async () => {
  const limits = { ...LIMITS, wait: 100, inFlightAtFirst: PERMITS + 2, inFlightAtLeast: PERMITS };
  const slow = await startTestApp({ limits });
  const count = async () => (await slow.rest("GET", "/posts/count")).status;
  await whileFull(async () => {
    expect(await count()).toBe(200);
    await expect.poll(count, { timeout: 4_000, interval: 100 }).toBe(503);
  }, slow);
  await expect.poll(count, { timeout: 4_000 }).toBe(200);
});

test("permits are released whatever the outcome of the request", async () => {
  await whileFull(async () => {});
  for (let n = 0; n < 3 * PERMITS; n++) {
    expect((await blog.rest("GET", "/posts/unknown")).status).toBe(400);
    expect((await blog.rest("GET", "/nothing")).status).toBe(404);
    expect((await blog.gql("{ nothing }")).status).toBe(400);
    for (const url of ["/media/nothing", "/assets/nothing", "/manifest.json", "/playground/assets/nothing"])
      expect((await blog.app.inject(url)).statusCode, url).toBe(404);
  }
  expect((await blog.rest("GET", "/categories")).status).toBe(200);
});
