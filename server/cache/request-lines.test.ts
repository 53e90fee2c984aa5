import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { LIMITS } from "../limits.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createCategory, createPost } from "../testing/factories.ts";
import { startProcess, type Process } from "../testing/processes.ts";

const limits = { ...LIMITS, body: 900, sweep: 100, discard: 300 };

let blog: TestApp;
let process: Process;
let postId: string;
beforeAll(async () => {
  blog = await startTestApp();
  const maya = await blog.signUp({ username: "Maya" });
  await createCategory(blog.db, "Craft");
  postId = (await createPost(blog.db, { userId: maya.id })).id;
  process = await startProcess(blog, { limits });
});

/** Sends raw text on a connection of its own. @returns the response once it matches `until` */
async function sendRaw(words: string[], until: RegExp, between = 0): Promise<string> {
  const socket = connect(process.port, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1"))).on("error", () => undefined);
  for (const word of words) {
    socket.write(word);
    await new Promise((done) => setTimeout(done, between));
  }
  await vi.waitUntil(() => until.test(received) || socket.destroyed, { timeout: 5_000 });
  socket.destroy();
  return received;
}

const head = (length: number) =>
  `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

describe("on a raw connection:", () => {
  const body = JSON.stringify({ query: "{ postsCount categories { title } }" });

  test("the response is the same for a body sent at once, in pieces or slowly", async () => {
    const good = /"postsCount":1/;
    expect(await sendRaw([head(body.length) + body], good)).toMatch(good);
    expect(await sendRaw([head(body.length), body.slice(0, 9), body.slice(9)], good, 20)).toMatch(good);
    expect(await sendRaw([head(body.length), body.slice(0, 9), body.slice(9)], good, 250)).toMatch(good);
  });

  test("an unfinished body times out", async () => {
    expect(await sendRaw([head(body.length), body.slice(0, 9)], /\}$/)).toMatch(
      /^HTTP\/1\.1 408 [^]*too slowly/,
    );
  });

  test("an aborted body affects no other request", async () => {
    for (const wait of [0, 20, 150, 300]) {
      const socket = connect(process.port, "127.0.0.1").on("error", () => undefined);
      socket.write(head(body.length) + body.slice(0, 9));
      await new Promise((done) => setTimeout(done, wait));
      socket.destroy();
    }
    await new Promise((done) => setTimeout(done, 200));
    expect((await process.ask("/health")).status).toBe(200);
    expect(process.responseCache.size().trackers).toBe(0);
  });

  test("pipelined requests are answered in order, cached or not", async () => {
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const paths = ["/api/posts/count", "/nowhere", "/api/categories", "/api/posts/count", "/health"];
    const received = await sendRaw(
      [paths.map(get).join("")],
      /(HTTP\/1\.1 [^]*){5}"status":"ok"|(HTTP\/1\.1 [^]*){5}$/,
    );
    expect([...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      "200",
      "404",
      "200",
      "200",
      "200",
    ]);
  });

  test("C3: 10 000 aborted pipelined requests leave no dependency tracker behind", async () => {
    const paths = ["/api/posts", "/api/posts/count", `/api/posts/${postId}`, "/", "/api/categories"];
    const cut = async (round: number) => {
      const socket = connect(process.port, "127.0.0.1").on("error", () => undefined);
      const path = paths[round % paths.length] ?? "";
      socket.write(`GET ${path}?${randomUUID()} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(50));
      await new Promise((done) => setTimeout(done, round % 20));
      if (round % 3 === 0) socket.resetAndDestroy();
      else socket.destroy();
    };
    for (let round = 0; round < 200; round += 20)
      await Promise.all(Array.from({ length: 20 }, (_, index) => cut(round + index)));
    await vi.waitUntil(() => process.responseCache.size().trackers === 0, { timeout: 10_000 });
    expect((await process.ask("/api/posts/count")).text).toBe("1");
  });

  test("disconnected clients leave no tracker behind, even with pipelined requests", async () => {
    for (let n = 0; n < 20; n++) {
      const socket = connect(process.port, "127.0.0.1").on("error", () => undefined);
      for (let each = 0; each < 10; each++)
        socket.write(`GET /api/posts/${randomUUID()} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await new Promise((done) => setTimeout(done, n % 5));
      socket.destroy();
    }
    await vi.waitUntil(() => process.responseCache.size().trackers === 0, { timeout: 10_000 });
    expect(process.responseCache.size().trackers).toBe(0);
  });
});

test("each response, cached or not, is logged once with the pattern of its route", async () => {
  await process.ask(`/api/posts/${postId}`);
  const before = process.lines.length;
  const { headers } = await process.ask(`/api/posts/${postId}`);
  const lines = process.lines.slice(before);
  expect(lines).toMatchObject([
    { method: "GET", route: "/api/posts/:id", status: 200, cached: true, reqId: headers["x-request-id"] },
  ]);
});

async function isCached(by: Process, request: object): Promise<boolean> {
  await by.ask("/api/categories", request);
  return by.caches("/api/categories", request);
}

test("the cache is bypassed while draining and for restricted origins", async () => {
  let draining = false;
  const other = await startProcess(blog, {
    isDraining: () => draining,
    corsOrigins: ["https://friend.test"],
  });
  expect(await isCached(other, {})).toBe(true);
  for (const [origin, allowed] of [
    ["https://friend.test", "https://friend.test"],
    ["https://foe.test", undefined],
  ] as const) {
    const request = { headers: { origin } };
    expect(await isCached(other, request)).toBe(false);
    const { headers } = await other.ask("/api/categories", request);
    expect(headers["access-control-allow-origin"]).toBe(allowed);
    // A proxy's cache must not send the response of one origin to another.
    const varies = headers["vary"]?.split(", ");
    expect(varies).toEqual(expect.arrayContaining(["Origin", "Authorization"]));
    expect(new Set(varies).size).toBe(varies?.length);
  }
  draining = true;
  expect(await other.caches("/api/categories")).toBe(false);
  expect((await other.ask("/api/categories")).headers["connection"]).toBe("close");
});

test("the cache stays within its byte limit under arbitrary URLs", async () => {
  const bytes = 1_000_000;
  const small = await startProcess(blog, { bytes });
  for (let n = 0; n < 60; n++) {
    await small.ask(`/?${n}`);
    await small.ask("/api/categories");
  }
  expect(small.responseCache.size().bytes).toBeLessThanOrEqual(bytes);
  expect(small.responseCache.size().entries).toBeGreaterThan(1);
  expect(await small.caches("/api/categories")).toBe(true);
});
