import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { beforeAll, expect, test } from "vitest";
import { afterFile } from "../../testing/cleanup.ts";
import { contextsOf } from "../../testing/accounts.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createPost } from "../../testing/factories.ts";
import { restRoutes } from "./plugin.ts";

const TIMEOUT_MS = 1_500;
const POSTS = 300;
/** All posts together exceed the socket buffers. */
const LONG = "A line of a text that goes on. ".repeat(1_600);

let blog: TestApp;
let app: FastifyInstance;
let port: number;
beforeAll(async () => {
  blog = await startTestApp();
  const maya = await blog.signUp();
  await blog.db.$transaction(
    async (tx) => {
      for (let n = 0; n < POSTS; n++) await createPost(tx, { userId: maya.id, description: LONG });
    },
    { timeout: 30_000 },
  );
  app = fastify();
  const createContexts = async () => contextsOf(blog);
  await app.register(restRoutes, {
    prefix: "/api",
    createContexts,
    publicUrl: "http://blog.test",
    timeoutMs: TIMEOUT_MS,
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  afterFile(() => app.close());
  port = (app.server.address() as AddressInfo).port;
});

async function readAll(pace: (socket: ReturnType<typeof connect>) => void) {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  const began = Date.now();
  socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  socket.write("GET /api/posts HTTP/1.1\r\nHost: blog.test\r\nConnection: close\r\n\r\n");
  pace(socket);
  socket.on("error", () => undefined);
  await once(socket, "close");
  return { text, milliseconds: Date.now() - began };
}

const whole = (text: string) => text.match(/"title":/g)?.length === POSTS && text.trimEnd().endsWith("0");

test("a stalled reader is disconnected, and holds no database connection until then", async () => {
  const countConnections = () =>
    new Promise((done) => app.server.getConnections((_error, count) => done(count)));
  const reading = readAll((socket) => {
    socket.pause();
    // Reading again empties the buffers, and then reports the close.
    setTimeout(() => socket.resume(), 5 * TIMEOUT_MS);
  });
  await expect.poll(countConnections).toBe(1);
  const held: number[] = [];
  while ((await countConnections()) === 1) {
    held.push(blog.pool.totalCount - blog.pool.idleCount);
    await new Promise((done) => setTimeout(done, TIMEOUT_MS / 20));
  }
  // The last samples before the disconnect.
  expect(held.slice(-15)).toEqual(Array(15).fill(0));
  const { text } = await reading;
  expect(text).toMatch(/^HTTP\/1.1 200/);
  expect(whole(text)).toBe(false);
});

test("a slow but steady reader gets the whole response", async () => {
  const { text, milliseconds } = await readAll((socket) => {
    socket.on("data", () => {
      socket.pause();
      setTimeout(() => socket.resume(), TIMEOUT_MS / 100);
    });
  });
  expect(whole(text)).toBe(true);
  expect(milliseconds).toBeGreaterThan(TIMEOUT_MS);
});
