import { createServer, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMiddlewareChain } from "../middleware.ts";
import { respondToParseError, limitConnections, refuseManyHeaders } from "./connection-limit.ts";

let server: Server;
beforeAll(async () => {
  server = createServer((request, response) =>
    response.end(`address: ${request.headers["x-forwarded-for"]}\n`),
  );
  server.on("clientError", respondToParseError);
  limitConnections({ server } as FastifyInstance);
  createMiddlewareChain(server, { error: () => undefined }).use([refuseManyHeaders]);
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
