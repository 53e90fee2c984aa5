import { randomUUID } from "node:crypto";
import { mkdtemp, rm, truncate } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { LIMITS } from "../limits.ts";
import { openFolder } from "../media/folder.ts";
import { openStores } from "../media/stores.ts";
import { bulkheadCounts } from "../queue.ts";
import { startTestApp } from "../testing/app.ts";
import { startBucketServer } from "../testing/bucket.ts";
import { afterFile } from "../testing/cleanup.ts";

const MB = 1024 * 1024;

const { server, make } = await startBucketServer();
const { keys, httpWorkerFile, ...bucket } = await make();
const stores = await openStores({ folder: "media", store: bucket, previous: null, keys, httpWorkerFile });
afterFile(async () => stores.close());
const limits = { ...LIMITS, unreadBytes: 24 * MB, unreadSweep: 60_000 };
const blog = await startTestApp({
  openPicture: stores.files.open,
  limits,
  metricsToken: "secret",
});
await blog.app.listen({ port: 0, host: "127.0.0.1" });
const { port } = blog.app.server.address() as AddressInfo;

async function store(bytes: number): Promise<string> {
  const id = randomUUID();
  await stores.files.create(id, [{ name: "picture.jpg", bytes: Buffer.alloc(bytes, 1) }]);
  return `/media/${id.slice(0, 2)}/${id}/picture.jpg`;
}

/** Asks for a picture and reads nothing. */
function askFor(path: string) {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: blog.test\r\n\r\n`);
  return socket;
}

test("W4: clients that do not read their pictures do not fill the memory, and others get theirs", async () => {
  const large = 16 * MB;
  const path = await store(large);
  const held = new Set<Socket>();
  blog.app.server.on("connection", (socket: Socket) => held.add(socket));
  const sockets = Array.from({ length: 6 }, () => askFor(path));
  let most = 0;
  const isIdle = () => bulkheadCounts.pictures.running + bulkheadCounts.pictures.waiting === 0;
  const isAnswered = ({ destroyed, bytesWritten }: Socket) => destroyed || bytesWritten > 0;
  while (held.size < sockets.length || ![...held].every(isAnswered) || !isIdle()) {
    await setTimeout(5);
    const unread = [...held].filter(({ destroyed }) => !destroyed).map((socket) => socket.writableLength);
    most = Math.max(
      most,
      unread.reduce((sum, each) => sum + each, 0),
    );
  }
  expect(most).toBeGreaterThan(5 * MB);
  expect(most).toBeLessThan(26 * MB);
  expect((await blog.app.inject(path)).rawPayload.length).toBe(large);
  for (const socket of sockets) socket.destroy();
}, 30_000);

test("W4: pictures are not read for clients that have left the queue", async () => {
  const path = await store(1);
  let count = 0;
  const [listener] = server.listeners("request") as [(...call: unknown[]) => void];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const listenLate = async (...call: unknown[]) => {
    count++;
    await released;
    listener(...call);
  };
  server.off("request", listener).on("request", listenLate);
  const sockets = Array.from({ length: 30 }, () => askFor(path));
  await expect.poll(() => bulkheadCounts.pictures.waiting).toBe(6);
  for (const socket of sockets) socket.destroy();
  const countConnections = promisify(blog.app.server.getConnections.bind(blog.app.server));
  await expect.poll(() => countConnections()).toBe(0);
  release();
  await expect.poll(() => bulkheadCounts.pictures.running + bulkheadCounts.pictures.waiting).toBe(0);
  expect(count).toBe(24);
  server.off("request", listenLate).on("request", listener);
  expect((await blog.app.inject(path)).statusCode).toBe(200);
  const metrics = await blog.send("GET", "/metrics", "secret");
  expect(metrics.text).toContain("\nblog_http_requests_in_flight 0\n");
}, 30_000);

test.each([
  ["a picture", 200, "image/jpeg"],
  ["an error", 503, "application/xml"],
])("S1: %s from a bucket that does not end does not fill the memory", async (_name, status, type) => {
  const path = await store(MB);
  const [listener] = server.listeners("request") as [(...exchange: unknown[]) => void];
  let sent = 0;
  const answerForEver = (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, { "content-type": type });
    const chunk = Buffer.alloc(256 * 1024, "<");
    const send = () => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      if (!response.destroyed) response.once("drain", send);
    };
    send();
  };
  server.removeListener("request", listener).on("request", answerForEver);
  expect((await blog.app.inject(path)).statusCode).toBe(503);
  server.removeListener("request", answerForEver).on("request", listener);
  expect(sent).toBeLessThan(100 * MB);
  await expect.poll(async () => (await blog.app.inject(path)).statusCode, { timeout: 5_000 }).toBe(200);
});

test("R37B C1: a picture of more bytes than any has is refused, announced by the bucket or in the folder", async () => {
  const [announced, folder] = [await store(10), await mkdtemp(join(tmpdir(), "blog-large-"))];
  afterFile(() => rm(folder, { recursive: true }));
  const [listener] = server.listeners("request") as [(...call: [IncomingMessage, ServerResponse]) => void];
  server.removeAllListeners("request").on("request", (_request, response: ServerResponse) => {
    response.writeHead(200, { "content-length": 70 * MB }).write("x");
  });
  const ask = (path: string) => blog.app.inject(path);
  expect((await ask(announced)).statusCode).toBe(503);
  server.removeAllListeners("request").on("request", listener);
  server.closeAllConnections();
  await expect.poll(async () => (await ask(announced)).statusCode, { timeout: 5_000 }).toBe(200);

  const id = randomUUID();
  const files = openFolder(folder);
  await files.create(id, [{ name: "picture.jpg", bytes: Buffer.alloc(10) }]);
  await truncate(join(folder, id.slice(0, 2), id, "picture.jpg"), 70 * MB);
  const other = await startTestApp({ openPicture: files.open, limits });
  const large = `/media/${id.slice(0, 2)}/${id}/picture.jpg`;
  for (let n = 0; n < 2; n++) expect((await other.app.inject(large)).statusCode).toBe(503);
  expect((await other.app.inject({ url: large, headers: { range: "bytes=0-9" } })).statusCode).toBe(206);
});
