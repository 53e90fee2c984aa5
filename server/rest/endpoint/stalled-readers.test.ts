import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { beforeAll, expect, test } from "vitest";
import { afterFile } from "../../testing/cleanup.ts";
import { ctxOf } from "../../testing/accounts.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createPost } from "../../testing/factories.ts";
import { restRoutes } from "./plugin.ts";

const PATIENCE = 1_500;
const POSTS = 300;
/** More than what the sockets between us swallow on their own. */
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
  const createCtx = async () => ctxOf(blog);
  await app.register(restRoutes, {
    prefix: "/api",
    createCtx,
    publicUrl: "http://blog.test",
    timeoutMs: PATIENCE,
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  afterFile(() => app.close());
  port = (app.server.address() as AddressInfo).port;
});

/** Asks for all posts and reads as `pace` says. @returns what arrived, and after how long the line was closed */
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

test("a reader who stops is cut off, and no connection of the database is held for them meanwhile", async () => {
  const lines = () => new Promise((done) => app.server.getConnections((_error, count) => done(count)));
  const reading = readAll((socket) => {
    socket.pause();
    // Whoever reads on afterwards gets what had been sent, and then the end of the line.
    setTimeout(() => socket.resume(), 5 * PATIENCE);
  });
  await expect.poll(lines).toBe(1);
  const held: number[] = [];
  while ((await lines()) === 1) {
    held.push(blog.pool.totalCount - blog.pool.idleCount);
    await new Promise((done) => setTimeout(done, PATIENCE / 20));
  }
  // Long before the line was cut.
  expect(held.slice(-15)).toEqual(Array(15).fill(0));
  const { text } = await reading;
  expect(text).toMatch(/^HTTP\/1.1 200/);
  expect(whole(text)).toBe(false);
});

test("a slow reader who goes on reading gets all of it, however long it takes", async () => {
  const { text, milliseconds } = await readAll((socket) => {
    const nap = () => {
      socket.pause();
      setTimeout(() => socket.resume(), PATIENCE / 10);
    };
    const naps = setInterval(nap, PATIENCE / 7);
    socket.on("close", () => clearInterval(naps));
  });
  expect(whole(text)).toBe(true);
  expect(milliseconds).toBeGreaterThan(0);
});
