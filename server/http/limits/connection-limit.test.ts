import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { LIMITS } from "../../limits.ts";
import { createMiddlewareChain } from "../middleware.ts";
import { respondToParseError, limitConnections, limitHeaders } from "./connection-limit.ts";

let server: Server;
beforeAll(async () => {
  server = createServer((request, response) =>
    response.end(`address: ${request.headers["x-forwarded-for"]}\n`),
  );
  server.on("clientError", respondToParseError);
  limitConnections({ server } as FastifyInstance, LIMITS);
  createMiddlewareChain(server, { error: () => undefined }).use([limitHeaders]);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
});
afterAll(() => void server.close());

/** A request as a proxy forwards it: the client's headers, then the address that the proxy appends. */
const passedOn = (count: number) =>
  [
    "GET / HTTP/1.1",
    "X-Forwarded-For: 203.0.113.99",
    ...Array.from({ length: count - 2 }, (_, n) => `A${n}: x`),
    "X-Forwarded-For: 198.51.100.7",
  ].join("\r\n") + "\r\n\r\n";

/** Pipelines requests, and reads until the server closes the connection. */
function send(...requests: string[]): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(requests.join(""));
  socket.setTimeout(500, () => socket.end());
  return text(socket);
}

test("B1: a client's headers cannot displace those that a proxy appends", async () => {
  // `Host` counts as one of the headers.
  const host = (request: string) => request.replace("\r\n", "\r\nHost: x\r\n");
  expect(await send(host(passedOn(99)))).toContain("address: 203.0.113.99, 198.51.100.7");
  for (const count of [100, 101, 150, 900]) {
    const response = await send(host(passedOn(count)), host(passedOn(3)));
    expect(response).toMatch(/^HTTP\/1\.1 431 /);
    expect(response).toContain("a request may have 100 headers");
    expect(response).not.toContain("address:");
  }
});

test("R37A: a Content-Type that takes long to parse is refused", async () => {
  const request = (length: number) =>
    `GET / HTTP/1.1\r\nHost: x\r\nContent-Type: ${"a".repeat(length)}\r\n\r\n`;
  expect(await send(request(250))).toMatch(/^HTTP\/1\.1 200 /);
  const response = await send(request(251));
  expect(response).toMatch(/^HTTP\/1\.1 431 /);
  expect(response).toContain("the header Content-Type may have 250 characters");
});

test.each([
  ["headers of more than 16 kB", `GET / HTTP/1.1\r\nHost: x\r\nA: ${"y".repeat(20_000)}\r\n\r\n`, 431],
  ["a malformed request line", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", 400],
])("%s: refused in the shape of all other errors", async (_name, request, status) => {
  const [head = "", body = ""] = (await send(request)).split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*content-type: application/json`, "is"));
  const { message, code, errors } = JSON.parse(body);
  expect([code, errors]).toEqual(["BAD_USER_INPUT", [{ message, extensions: { code } }]]);
  expect(message).toMatch(/\S/);
});

describe("of too many connections", () => {
  const MAX_CONNECTIONS = 20;

  /** A server that answers `/` at once and `/slow` never. */
  async function startServer(limits = { newConnections: { atOnce: 1_000, share: 1 } }) {
    const limited = createServer((request, response) => void (request.url === "/" && response.end("well")));
    limitConnections({ server: limited } as FastifyInstance, limits, {
      most: MAX_CONNECTIONS,
      mayBeProxy: () => false,
    });
    createMiddlewareChain(limited, { error: () => undefined }).use([]);
    await once(limited.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => {
      limited.closeAllConnections();
      limited.close();
    });
    const { port } = limited.address() as AddressInfo;
    /** Sends a request, and resolves with the connection when it is answered or closed, or for `/slow` a moment later. */
    return async (localAddress: string, path: string) => {
      const socket = connect({ port, host: "127.0.0.1", localAddress });
      let answer = "";
      socket.on("error", () => undefined).on("data", (chunk: Buffer) => (answer += chunk.toString()));
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const answered = once(socket, "data").catch(() => undefined);
      await Promise.race([answered, once(socket, "close"), sleep(path === "/slow" ? 50 : 5_000)]).catch(
        () => undefined,
      );
      return { socket, isAnswered: () => answer.endsWith("well") };
    };
  }

  test("R33A, A52-2: of one network beyond its share, new ones are reset, and those of others accepted", async () => {
    const ask = await startServer({ newConnections: { atOnce: 9, share: 2 / 1_000 } });
    const answeredOf = async (attempts: number) => {
      const asked = await Promise.all(Array.from({ length: attempts }, () => ask("127.0.0.2", "/")));
      return asked.filter(({ isAnswered }) => isAnswered()).length;
    };
    const began = performance.now();
    const most = () => 10 + (2 / 1_000) * (performance.now() - began);
    const first = await answeredOf(20);
    expect(first).toBeGreaterThanOrEqual(9);
    expect(first).toBeLessThanOrEqual(most());
    expect((await ask("127.0.0.3", "/")).isAnswered()).toBe(true);
    await sleep(1_200);
    // Refused ones are not charged.
    const second = await answeredOf(9);
    expect(second).toBeGreaterThanOrEqual(2);
    expect(first + second).toBeLessThanOrEqual(most());
  });

  test("of one network, idle ones are closed, and new ones accepted", async () => {
    const ask = await startServer();
    for (let n = 0; n < MAX_CONNECTIONS; n++) expect((await ask("127.0.0.2", "/")).isAnswered()).toBe(true);
  });

  test("of one network, new ones are refused while all have a request", async () => {
    const ask = await startServer();
    const slow = [];
    for (let n = 0; n < MAX_CONNECTIONS / 2; n++) slow.push(await ask("127.0.0.2", "/slow"));
    expect((await ask("127.0.0.2", "/")).isAnswered()).toBe(false);
    expect((await ask("127.0.0.3", "/")).isAnswered()).toBe(true);
    expect(slow.map(({ socket }) => socket.destroyed)).toEqual(slow.map(() => false));
  });

  test("of several networks, idle ones of the largest are closed", async () => {
    const ask = await startServer();
    for (const from of ["127.0.0.2", "127.0.0.3"])
      for (let n = 0; n < MAX_CONNECTIONS / 2; n++) expect((await ask(from, "/")).isAnswered()).toBe(true);
    for (const from of ["127.0.0.4", "127.0.0.5", "127.0.0.6"])
      expect((await ask(from, "/")).isAnswered()).toBe(true);
  });
});
