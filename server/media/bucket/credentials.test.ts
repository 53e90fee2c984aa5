import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { beforeEach, expect, test } from "vitest";
import { afterFile } from "../../testing/cleanup.ts";
import { httpWorkerFile } from "../../testing/http-worker.ts";
import { openBucket } from "./bucket.ts";

const key = JSON.stringify({
  ...{ AccessKeyId: "a", SecretAccessKey: "b", Token: "c" },
  Expiration: new Date(Date.now() + 3_600_000).toISOString(),
});
const answerOf = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

/** Writes until the client closes the connection. */
function flood(socket: Socket, head: string, part: Buffer): void {
  socket.write(head);
  const write = () => {
    while (!socket.destroyed && socket.write(part));
  };
  socket.on("drain", write);
  write();
}

function drip(socket: Socket): void {
  socket.write(CHUNKED);
  const timer = setInterval(() => socket.write("1\r\na\r\n"), 200);
  socket.on("close", () => clearInterval(timer));
}

const tiny = Buffer.from("1\r\na\r\n".repeat(20_000));
const early = Buffer.from("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(4_000));
const CHUNKED = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

const good = (socket: Socket): void => void socket.write(answerOf(key));
let answer = good;
let sent = 0;
/** The service of the key below /key, and a bucket without objects everywhere else. */
const server = createServer((socket) => {
  socket.on("error", () => {});
  socket.on("close", () => (sent += socket.bytesWritten));
  socket.on("data", (request) =>
    request.includes("/key")
      ? answer(socket)
      : socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n"),
  );
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
afterFile(async () => void server.close());
const { port } = server.address() as AddressInfo;
process.env["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = `http://127.0.0.1:${port}/key`;
afterFile(async () => void delete process.env["AWS_CONTAINER_CREDENTIALS_FULL_URI"]);

beforeEach(() => {
  answer = good;
  sent = 0;
});

async function open() {
  const endpoint = `http://127.0.0.1:${port}`;
  const bucket = await openBucket({ bucket: "pictures", endpoint, region: "x", httpWorkerFile });
  afterFile(async () => bucket.close());
  return () => bucket.read("ab345678-1234-4234-8234-123456789012", "picture.jpg");
}

test("a role's key is asked for once", async () => {
  const read = await open();
  let asked = 0;
  answer = (socket) => {
    asked++;
    good(socket);
  };
  for (let time = 0; time < 3; time++) await expect(read()).rejects.toMatchObject({ code: "ENOENT" });
  expect(asked).toBe(1);
});

test.each<[string, (socket: Socket) => void]>([
  ["without an end", (socket) => flood(socket, "HTTP/1.1 200 OK\r\n\r\n", Buffer.alloc(1 << 20, "a"))],
  ["in chunks of a byte", (socket) => flood(socket, CHUNKED, tiny)],
  ["after endless early hints", (socket) => flood(socket, "", early)],
  ["that does not come", () => {}],
  ["a byte at a time", drip],
  ["that is cut", (socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nx")],
])("R38B C1, H1: a key %s fails, and the next one is used", { timeout: 40_000 }, async (_, send) => {
  const read = await open();
  answer = send;
  const began = performance.now();
  await expect(read()).rejects.toThrow();
  expect(performance.now() - began).toBeLessThan(15_000);
  expect(sent).toBeLessThan(200_000_000);
  answer = good;
  await expect(read()).rejects.toMatchObject({ code: "ENOENT" });
});
