import { connect, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { LIMITS } from "../../limits.ts";
import { bulkheadCounts } from "../../queue.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";

const short = {
  ...{ head: 600, body: 900, upload: 3_000, uploadStart: 600, sweep: 100, discard: 300 },
  uploadShare: 200,
};

let blog: TestApp;
let port: number;
let token: string;
beforeAll(async () => {
  blog = await startTestApp({ limits: { ...LIMITS, ...short } });
  await blog.app.listen({ port: 0, host: "127.0.0.1" });
  port = (blog.app.server.address() as AddressInfo).port;
  token = (await blog.signUp()).token;
});

/** Opens a connection and sends `begin`. `answer` is everything received until it closes. */
function call(begin: string, localAddress = "127.0.0.1") {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  const began = performance.now();
  let answered = "";
  socket.on("data", (chunk: Buffer) => (answered += chunk.toString()));
  const response = new Promise<string>((resolve) => socket.on("close", () => resolve(answered)));
  socket.write(begin);
  return { socket, response, lasted: () => response.then(() => performance.now() - began) };
}

const head = (path: string, type: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
const upload = (length: number) =>
  `${head("/api/posts", "multipart/form-data; boundary=b", length)}--b\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n`;

/** @param rate bytes per second */
function drip(socket: Socket, rate: number) {
  const timer = setInterval(() => socket.write("x".repeat(rate / 10)), 100);
  socket.once("close", () => clearInterval(timer));
  onTestFinished(() => clearInterval(timer));
}

test("a network with 64 unfinished bodies gets 429 at once for further ones, and others none", async () => {
  const half = `${head("/api/auth/login", "application/json", 100)}{"email"`;
  const waiting = Array.from({ length: 64 }, () => call(half, "127.0.0.2"));
  await new Promise((done) => setTimeout(done, 200));
  const refused = call(half, "127.0.0.2");
  expect(await refused.response).toMatch(
    /^HTTP\/1\.1 429 [^]*connection: close[^]*too many unfinished requests/i,
  );
  expect(await refused.lasted()).toBeLessThan(2_000);
  const whole = (from: string) => call(`${head("/api/auth/login", "application/json", 2)}{}`, from);
  for (const from of ["127.0.0.2", "127.0.0.3"]) {
    const { socket, response } = whole(from);
    await vi.waitUntil(() => socket.bytesRead > 0);
    socket.destroy();
    expect(await response).toMatch(/^HTTP\/1\.1 400 /);
  }
  const other = call(half, "127.0.0.3");
  for (const each of [...waiting, other]) expect(await each.response).toMatch(/^HTTP\/1\.1 408 /);
  const later = call(half, "127.0.0.2");
  expect(await later.response).toMatch(/^HTTP\/1\.1 408 /);
});

describe("a client that is too slow is disconnected:", () => {
  test("with incomplete headers", async () => {
    const { response, lasted } = call("GET / HTTP/1.1\r\nHost: x\r\n");
    expect(await response).toMatch(/^HTTP\/1\.1 408 [^]*"message":/);
    expect(await lasted()).toBeGreaterThan(short.head - 50);
  });

  test("without sending anything", async () => {
    expect(await call("").lasted()).toBeGreaterThan(short.head - 50);
  });

  test("with an incomplete JSON body, with an error in the format of each API", async () => {
    const rest = call(`${head("/api/auth/login", "application/json", 100)}{"email"`);
    const graphql = call(`${head("/graphql", "application/json", 100)}{"query"`);
    expect(await rest.response).toMatch(/^HTTP\/1\.1 408 [^]*\{"message":"the body came too slowly"/);
    expect(await graphql.response).toMatch(/^HTTP\/1\.1 408 [^]*\{"errors":\[\{"message":"the body came/);
    expect(await rest.lasted()).toBeGreaterThan(short.body - 50);
  });

  test("with an upload of less than 8 kB a second", async () => {
    const { socket, response, lasted } = call(upload(1_000_000));
    drip(socket, 2_000);
    expect(await response).toMatch(/^HTTP\/1\.1 408 [^]*\{"message":"the body came too slowly"/);
    const milliseconds = await lasted();
    expect(milliseconds).toBeGreaterThan(short.uploadStart - 50);
    expect(milliseconds).toBeLessThan(short.upload);
  });

  test("with an endless upload, however fast", async () => {
    const { socket, response, lasted } = call(upload(9_000_000));
    drip(socket, 40_000);
    expect(await response).toMatch(/^HTTP\/1\.1 408 /);
    expect(await lasted()).toBeGreaterThan(short.upload - 50);
  });
});

test("a body that is too large is answered 413 while it is sent, and the connection closed", async () => {
  const { socket, response, lasted } = call(head("/api/auth/login", "application/json", 50_000_000));
  drip(socket, 100_000);
  expect(await response).toMatch(/^HTTP\/1\.1 413 [^]*"message":/);
  expect(await lasted()).toBeLessThan(2_000);
});

test("ordinary requests are served beside 500 slow headers, 50 slow bodies and 300 idle connections", async () => {
  const slow = [
    ...Array.from({ length: 500 }, () => call("GET / HTTP/1.1\r\nHost: x\r\n")),
    ...Array.from({ length: 50 }, () => call(`${head("/api/auth/login", "application/json", 100)}{`)),
    ...Array.from({ length: 300 }, () => call("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")),
  ];
  for (let n = 0; n < 20; n++) {
    const statuses = await Promise.all(
      ["/health", "/api/posts", "/api/categories", "/"].map(
        async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status,
      ),
    );
    expect(statuses).toEqual([200, 200, 200, 200]);
  }
  for (const { socket } of slow) socket.destroy();
});

describe("uploads of one origin that hold all permits", () => {
  test("lose the slowest ones while others wait, but a single upload is exempt", async () => {
    const others = await Promise.all([1, 2, 3, 4].map(() => blog.signUp()));
    const body = `--b\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n`;
    const open = (bearer: string, localAddress: string) => {
      const socket = connect({ port, host: "127.0.0.1", localAddress });
      onTestFinished(() => void socket.destroy());
      let answered = "";
      socket.on("error", () => undefined).on("data", (chunk: Buffer) => (answered += chunk.toString()));
      socket.write(upload(5_000_000).replace(token, bearer).slice(0, -body.length) + body);
      drip(socket, 20 * 1024);
      return () => answered;
    };
    // Three per account: eight permits of one origin and four of another.
    const greedy = others.slice(0, 3).flatMap(({ token: of }) => [1, 2, 3].map(() => open(of, "127.0.0.5")));
    const more = [1, 2, 3, 4].map((n) => open(n === 4 ? token : (others[3]?.token ?? ""), "127.0.0.6"));
    await vi.waitFor(() => expect(bulkheadCounts.uploads.running).toBe(12), { timeout: 10_000 });
    const alone = open(token, "127.0.0.7");
    const isCut = (response: () => string) => response().startsWith("HTTP/1.1 408");
    await vi.waitFor(() => expect(greedy.filter(isCut).length).toBeGreaterThan(0), {
      ...{ timeout: 10_000, interval: 10 },
    });
    expect(more.filter(isCut)).toHaveLength(0);
    expect(alone()).toBe("");
  }, 40_000);
});

describe("A6: an aborted upload", () => {
  const form = (from: string, first = "") =>
    new Promise<Socket>((resolve) => {
      const socket = connect({ port, host: "127.0.0.1", localAddress: from });
      socket.on("error", () => undefined).resume();
      onTestFinished(() => void socket.destroy());
      const head = ["POST /api/posts HTTP/1.1", "Host: x", `Authorization: Bearer ${token}`];
      const type = "Content-Type: multipart/form-data; boundary=b";
      socket.write([...head, type, "Content-Length: 31000", "", first].join("\r\n"), () => resolve(socket));
    });
  const part = '--b\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\nAAAA';
  const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

  test("releases its permit, or its entry in the queue", async () => {
    for (let round = 0; round < 3; round++) {
      const slow = await Promise.all([1, 2, 3].map(() => form("127.0.0.2", `\r\n${part}`)));
      await pause(50);
      const waiting = await Promise.all([1, 2, 3].map(() => form("127.0.0.2")));
      await pause(50);
      for (const socket of waiting) socket.destroy();
      await pause(50);
      for (const socket of slow) socket.destroy();
      for (let n = 0; n < 20; n++) {
        const socket = await form("127.0.0.3", `\r\n${part}`);
        await pause(n / 4);
        socket.destroy();
      }
    }
    await vi.waitFor(() => expect(bulkheadCounts.uploads).toEqual({ running: 0, waiting: 0 }), {
      timeout: 15_000,
    });
  }, 30_000);
});
