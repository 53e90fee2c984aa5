import { connect, type AddressInfo } from "node:net";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { LIMITS } from "../../limits.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createPost } from "../../testing/factories.ts";
import { selectExcess } from "./unread-responses.ts";

const MB = 1024 * 1024;
const short = { unread: 1_500, unreadRate: 100 * MB, unreadBytes: 40 * MB, unreadSweep: 50 };

let blog: TestApp;
let port: number;
beforeAll(async () => {
  blog = await startTestApp({ limits: { ...LIMITS, ...short } });
  const { id: userId } = await blog.signUp();
  for (let n = 0; n < 100; n++)
    await createPost(blog.db, { userId, description: "A long text. ".repeat(3_800) });
  await blog.app.listen({ port: 0, host: "127.0.0.1" });
  port = (blog.app.server.address() as AddressInfo).port;
});

const heldBytes = new Map<import("node:net").Socket, number>();
const held = () => {
  let bytes = 0;
  for (const socket of heldBytes.keys()) bytes += socket.writableLength;
  return bytes;
};
beforeAll(() => void blog.app.server.on("connection", (socket) => heldBytes.set(socket, 0)));

/** Asks for five megabytes and reads nothing. */
function askWithoutReading(read = false) {
  const body = JSON.stringify({ query: "{ posts(first: 100) { nodes { description } } }" });
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  let length = 0;
  socket.on("error", () => undefined);
  if (read) socket.on("data", (chunk: Buffer) => (length += chunk.length));
  else socket.pause();
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return { socket, length: () => length };
}

test("A5: above the limit, only the slowest of the network that holds most are closed", () => {
  const response = (remoteAddress: string, bytes: number, rate: number) =>
    ({ socket: { remoteAddress }, bytes, rate, taken: 0, since: 0 }) as never;
  const honest = response("192.0.2.1", 20 * MB, 2 * MB);
  const [slow, slower, slowest] = [3_000, 2_000, 1_000].map((rate) => response("192.0.2.2", 15 * MB, rate));
  expect(selectExcess(64 * MB, [honest, slow!, slowest!, slower!])).toEqual([slowest]);
  expect(selectExcess(45 * MB, [honest, slow!, slowest!, slower!])).toEqual([slowest, slower]);
  expect(selectExcess(65 * MB, [honest, slow!, slowest!, slower!])).toEqual([]);
  for (const bytes of [0, -70 * MB]) expect(selectExcess(bytes, [])).toEqual([]);
  // Addresses of one IPv6 network count as one.
  const ofOneNetwork = [1, 2, 3].map((n) => response(`2001:db8:1:${n}::${n}`, 15 * MB, 1_000 * n));
  expect(selectExcess(64 * MB, [honest, ...ofOneNetwork])).toEqual([ofOneNetwork[0]]);
});

test("unread responses are aborted above the total limit, and all of them after the timeout", async () => {
  const callers = Array.from({ length: 24 }, () => askWithoutReading());
  // 24 times 5 MB, of which the kernel buffers some.
  await vi.waitFor(() => expect(held()).toBeGreaterThan(10 * MB), { timeout: 20_000 });
  let most = 0;
  for (let look = 0; look < 60; look++) {
    await new Promise((done) => setTimeout(done, 50));
    most = Math.max(most, held());
  }
  expect(most).toBeLessThan(80 * MB);
  await vi.waitFor(() => expect(held()).toBe(0), { timeout: 20_000 });
  for (const { socket } of callers) socket.destroy();
}, 60_000);

test("a client that reads receives everything", async () => {
  const { length } = askWithoutReading(true);
  await vi.waitFor(() => expect(length()).toBeGreaterThan(4.7 * MB), { timeout: 10_000 });
});

test("A2: a response of more than eight million characters is refused, compiled or not", async () => {
  const query = "{ posts(first: 100) { nodes { a: description b: description } } }";
  for (let round = 0; round < 3; round++) {
    const { status, body } = await blog.gql(query);
    expect([status, body.data]).toEqual([200, null]);
    expect(body.errors).toEqual([
      {
        message: "this answer would be more than 8 million characters long: ask for fewer texts at once",
        extensions: { code: "BAD_USER_INPUT", answer: { limit: 8_000_000 } },
      },
    ]);
  }
  const fewer = "{ posts(first: 100) { nodes { description } } }";
  for (let round = 0; round < 3; round++)
    expect((await blog.gql(fewer)).body.data.posts.nodes).toHaveLength(100);
});
