import { createServer, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { serializeConnections } from "./connection-queue.ts";
import { refuseTinyChunks } from "./tiny-chunks.ts";

let server: Server;
let received = 0;
let calls = 0;
beforeEach(async () => {
  received = 0;
  calls = 0;
  server = createServer((request, response) => {
    refuseTinyChunks(request, response, { chunks: 0, bytes: 0 });
    const push = request.push.bind(request);
    request.push = (...chunk) => {
      if (chunk[0] !== null) calls++;
      return push(...chunk);
    };
    request.on("data", (chunk: Buffer) => void (received += chunk.length));
    request.on("error", () => undefined).on("end", () => response.end(String(received)));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function send(chunks: string[]): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => undefined);
  const body = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("");
  const head = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
  socket.write(`${head}${body}0\r\n\r\n`);
  return text(socket).catch(() => "");
}

test("thousands of chunks of one byte get a refusal, which proxies pass on, and end the connection after 500", async () => {
  const refusal = await send(Array.from({ length: 20_000 }, () => "a"));
  expect(refusal).toMatch(
    /^HTTP\/1.1 400 [^]*connection: close\r\n\r\n\{"message":"the body has too many tiny chunks/,
  );
  expect(received).toBe(500);
});

test("the rest of the packet is skipped, and the parser serves other connections", async () => {
  const packet = Array.from({ length: 10_000 }, () => "a");
  for (let round = 1; round <= 20; round++) {
    await send(packet);
    expect(calls).toBe(round * 501);
  }
  received = 0;
  for (let round = 0; round < 20; round++) await send(["abc"]);
  expect(received).toBe(60);
});

test("pipelined requests are counted together", async () => {
  server.removeAllListeners("request");
  let served = 0;
  const serve = serializeConnections((request, response) => {
    request.on("error", () => undefined).on("end", () => response.end(String(++served)));
    request.resume();
  }, setImmediate);
  server.on("request", serve);
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => undefined);
  const head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  socket.write(`${head}${"1\r\na\r\n".repeat(400)}0\r\n\r\n`.repeat(20));
  await text(socket).catch(() => "");
  expect(served).toBeLessThan(2);
});

test("500 of them, and many chunks of 64 bytes, are accepted", async () => {
  expect(await send(Array.from({ length: 500 }, () => "a"))).toMatch(/\r\n\r\n500$/);
  received = 0;
  expect(await send(Array.from({ length: 2_000 }, () => "a".repeat(64)))).toMatch(/\r\n\r\n128000$/);
});
