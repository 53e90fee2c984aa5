import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { LIMITS } from "../../limits.ts";
import { createMiddlewareChain } from "../middleware.ts";
import { limitHeldConnections } from "./held-connections.ts";
import { createScheduler } from "./event-loop-scheduler.ts";
import { openRefusalPacer } from "./refusal-pacer.ts";

const large = "x".repeat(50_000);

/** A server behind a proxy, which answers `/large`, `/small` or `/chunked`. */
async function startServer({ idle = 60_000, end = 60_000, wait = 60_000 } = {}) {
  const accepted: Socket[] = [];
  const server = createServer((request, response) => {
    if (request.url === "/chunked") response.write("[");
    response.end(request.url === "/large" ? large : "small");
  });
  server.on("connection", (socket: Socket) => accepted.push(socket));
  const networkFrom = ({ headers }: { headers: NodeJS.Dict<string | string[]> }) =>
    String(headers["x-forwarded-for"]);
  const chain = createMiddlewareChain(server, { error: () => undefined });
  const pacer = openRefusalPacer(Fastify(), LIMITS);
  const scheduler = createScheduler(server);
  const limits = { most: 5, delayed: 20, idle, end, wait };
  const held = limitHeldConnections(networkFrom, { pacer, scheduler }, limits);
  chain.use([held.middleware]);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  /** Reads the head of the response only, as a proxy whose client does not read. */
  const ask = async (path: string, address?: string, more = "") => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.on("error", () => undefined);
    const forwarded = address ? `X-Forwarded-For: ${address}\r\n` : "";
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${forwarded}${more}\r\n`);
    await once(socket, "readable");
    const head = String(socket.read(100));
    // Until the rest is in the buffers of the kernel.
    await sleep(20);
    return { status: Number(head.split(" ")[1]), head, socket };
  };
  return { ask, accepted, refused: held.metric.read };
}

const statusesOf = async (asked: Promise<{ status: number }>[]) =>
  (await Promise.all(asked)).map(({ status }) => status);

test("F3: a network whose clients do not read gets 429 without a body, others are served", async () => {
  const { ask } = await startServer();
  const first = [1, 2, 3, 4, 5].map(() => ask("/large", "198.51.100.7"));
  expect(await statusesOf(first)).toEqual([200, 200, 200, 200, 200]);
  const { status, head, socket } = await ask("/small", "198.51.100.7");
  expect([status, head]).toEqual([429, expect.stringMatching(/content-length: 0/i)]);
  expect(await statusesOf([ask("/large", "198.51.100.8"), ask("/large"), ask("/small")])).toEqual([
    200, 200, 200,
  ]);
  // The connection of a refusal serves others.
  socket.write("GET /small HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.51.100.8\r\n\r\n");
  let answer = "";
  socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
  await expect.poll(() => answer).toContain(" 200 OK");
});

test("refusals of one network are paced, however often its clients retry", async () => {
  const { ask, refused } = await startServer();
  await Promise.all([1, 2, 3, 4, 5].map(() => ask("/large", "198.51.100.7")));
  const began = performance.now();
  await Promise.all(Array.from({ length: 20 }, () => ask("/small", "198.51.100.7")));
  expect(refused()).toBe(20);
  // One per 20 ms.
  expect(performance.now() - began).toBeGreaterThan(300);
  // More would take all connections of the proxy.
  const again = performance.now();
  const many = Array.from({ length: 100 }, () => ask("/small", "198.51.100.7"));
  expect(new Set(await statusesOf(many))).toEqual(new Set([429]));
  expect(performance.now() - again).toBeLessThan(1_500);
});

test("small responses in chunks count, since a proxy reads their end after its client has read", async () => {
  const { ask } = await startServer();
  for (let n = 0; n < 5; n++) expect((await ask("/chunked", "198.51.100.7")).status).toBe(200);
  expect((await ask("/small", "198.51.100.7")).status).toBe(429);
});

test("small responses, and large ones whose clients have read or left, do not count", async () => {
  const { ask } = await startServer();
  for (let n = 0; n < 10; n++) expect((await ask("/small", "198.51.100.7")).status).toBe(200);
  for (let n = 0; n < 10; n++) {
    const { status, socket } = await ask("/large", "198.51.100.7");
    expect(status).toBe(200);
    socket.destroy();
    await sleep(20);
  }
});

test("a connection on which a proxy sends many requests has one listener", async () => {
  const { ask, accepted } = await startServer();
  const { socket } = await ask("/large", "198.51.100.7");
  let bytes = 0;
  socket.on("data", (chunk: Buffer) => (bytes += chunk.length));
  await expect.poll(() => bytes).toBeGreaterThan(large.length - 100);
  const [connection] = accepted;
  const before = connection!.listenerCount("close");
  for (let n = 0; n < 20; n++) {
    bytes = 0;
    socket.write("GET /large HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.51.100.7\r\n\r\n");
    await expect.poll(() => bytes, { interval: 5 }).toBeGreaterThan(large.length);
  }
  expect(connection!.listenerCount("close")).toBe(before);
});

test("a connection that was closed here counts on, since its proxy waits for the client", async () => {
  const { ask, accepted } = await startServer({ wait: 300 });
  for (let n = 0; n < 5; n++) expect((await ask("/large", "198.51.100.7")).status).toBe(200);
  for (const socket of accepted) socket.destroy();
  await sleep(20);
  expect((await ask("/small", "198.51.100.7")).status).toBe(429);
  await sleep(500);
  expect((await ask("/small", "198.51.100.7")).status).toBe(200);
});

test("idle connections of the proxy are ended at the limit, and no longer count once it has closed them", async () => {
  const { ask } = await startServer({ idle: 50 });
  for (let n = 0; n < 5; n++) (await ask("/large", "198.51.100.7")).socket.resume();
  await sleep(100);
  expect((await ask("/small", "198.51.100.7")).status).toBe(429);
  await sleep(50);
  expect((await ask("/small", "198.51.100.7")).status).toBe(200);
});

test("ended connections count while the proxy waits for a client that reads nothing", async () => {
  const { ask, accepted } = await startServer({ idle: 50 });
  for (let n = 0; n < 5; n++) expect((await ask("/large", "198.51.100.7")).status).toBe(200);
  await sleep(100);
  for (let n = 0; n < 3; n++) {
    expect((await ask("/small", "198.51.100.7")).status).toBe(429);
    await sleep(50);
  }
  expect(accepted.slice(0, 5).map(({ writableEnded }) => writableEnded)).toEqual(Array(5).fill(true));
});

test.each([
  ["after each request", "Connection: close\r\n", 60_000],
  ["after a minute", "", 50],
])("connections that end %s do not count once the proxy has read all", async (_when, more, end) => {
  const { ask, accepted, refused } = await startServer({ end });
  for (let n = 0; n < 12; n++) {
    const { status, socket } = await ask("/large", "198.51.100.7", more);
    expect(status).toBe(200);
    socket.resume();
    await once(socket, "close");
  }
  expect(refused()).toBe(0);
  await expect.poll(() => accepted.every(({ destroyed }) => destroyed)).toBe(true);
});

test("connections that end after each request count while the proxy waits for its client", async () => {
  const { ask, refused } = await startServer();
  for (let n = 0; n < 5; n++) await ask("/large", "198.51.100.7", "Connection: close\r\n");
  expect((await ask("/small", "198.51.100.7")).status).toBe(429);
  expect(refused()).toBe(1);
});
