import { createServer, request as ask, type RequestListener, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createMiddlewareChain, type Middleware } from "./middleware.ts";

let server: Server;
let logged: unknown[];
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function listen(application: RequestListener, steps: Middleware[]): Promise<number> {
  logged = [];
  server = createServer(application);
  createMiddlewareChain(server, { error: (line: unknown) => void logged.push(line) }).use(steps);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return (server.address() as AddressInfo).port;
}

const get = (port: number, path = "/") =>
  new Promise<{ status: number | undefined; body: any }>((resolve, reject) => {
    ask({ port, path, host: "127.0.0.1", agent: false }, (received) =>
      text(received).then((body) => resolve({ status: received.statusCode, body: JSON.parse(body) }), reject),
    )
      .on("error", reject)
      .end();
  });

const good: RequestListener = (_request, response) => response.end('{"ok":true}');
const isBad = (url: string | undefined) => url === "/bad";
const thrown = () => {
  throw new Error("on purpose");
};
const pass: Middleware = (next) => (call) => next(call);

const failing: [string, Middleware[], RequestListener][] = [
  ["a middleware", [pass, (next) => (call) => (isBad(call.request.url) ? thrown() : next(call))], good],
  [
    "the application",
    [pass],
    (request, response) => (isBad(request.url) ? thrown() : good(request, response)),
  ],
  [
    "the application, called in a later event-loop iteration",
    [(next) => (call) => void setImmediate(() => next(call))],
    (request, response) => (isBad(request.url) ? thrown() : good(request, response)),
  ],
  [
    "a promise of a middleware",
    [
      (next) => (call) => {
        if (!isBad(call.request.url)) return next(call);
        Promise.reject(new Error("on purpose")).catch(call.fail);
      },
    ],
    good,
  ],
];

describe("an exception ends one request and is logged:", () => {
  test.each(failing)("in %s", async (_name, steps, application) => {
    const port = await listen(application, steps);
    const { status, body } = await get(port, "/bad");
    expect([status, body.code]).toEqual([500, "INTERNAL_SERVER_ERROR"]);
    expect(body.errors[0].extensions).toEqual({ code: body.code, requestId: body.requestId });
    expect(body.message).not.toContain("on purpose");
    expect(logged).toMatchObject([{ err: { message: "on purpose" }, reqId: body.requestId }]);
    expect(await get(port)).toEqual({ status: 200, body: { ok: true } });
  });

  test("after the response headers, by closing the connection", async () => {
    const port = await listen((request, response) => {
      response.writeHead(200).write("{");
      if (isBad(request.url)) thrown();
      response.end("}");
    }, []);
    await expect(get(port, "/bad")).rejects.toThrow();
    expect(await get(port)).toEqual({ status: 200, body: {} });
  });
});

describe("of requests pipelined on one connection", () => {
  const head = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

  test("one runs at a time, in order", async () => {
    let [underWay, most, begun] = [0, 0, 0];
    const port = await listen((_request, response) => {
      most = Math.max(most, ++underWay);
      const number = ++begun;
      setTimeout(() => (underWay--, response.end(`<${number}>`)), 5);
    }, []);
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.on("data", (chunk) => (received += chunk)).write(head.repeat(17));
    await vi.waitUntil(() => received.includes("<17>"), { timeout: 5_000 });
    socket.destroy();
    expect(most).toBe(1);
    expect([...received.matchAll(/<(\d+)>/g)].map(([, n]) => Number(n))).toEqual(
      Array.from({ length: 17 }, (_, index) => index + 1),
    );
  });

  test("the next one begins after the first ones of other connections", async () => {
    const order: string[] = [];
    const port = await listen((request, response) => {
      order.push(String(request.url));
      const end = performance.now() + 20;
      while (performance.now() < end);
      response.end();
    }, []);
    const sockets = Array.from({ length: 4 }, () => connect(port, "127.0.0.1"));
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once("connect", resolve))));
    const [pipelining, ...others] = sockets;
    pipelining?.resume().write(`GET /pipelined HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(16));
    for (const socket of others) socket.resume().write("GET /other HTTP/1.1\r\nHost: x\r\n\r\n");
    await vi.waitUntil(() => order.length === 19, { timeout: 5_000 });
    for (const socket of sockets) socket.destroy();
    expect(order.lastIndexOf("/other")).toBeLessThan(8);
  });

  test("those behind an aborted one never begin, and more than 16 queued ones close the connection", async () => {
    let [begun, closed] = [0, 0];
    const port = await listen((_request, response) => {
      begun++;
      response.once("close", () => closed++);
    }, []);
    for (const count of [18, 100]) {
      const socket = connect(port, "127.0.0.1").on("error", () => undefined);
      socket.write(head.repeat(count));
      await vi.waitUntil(() => begun > closed || socket.destroyed, { timeout: 5_000 });
      if (count === 18) socket.destroy();
      await vi.waitUntil(() => socket.destroyed, { timeout: 5_000 });
    }
    await vi.waitUntil(() => closed === 2, { timeout: 5_000 });
    expect(begun).toBe(2);
  });
});
