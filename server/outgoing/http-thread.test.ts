import dns from "node:dns/promises";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { createServer as createHttpServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, expect, test, vi } from "vitest";
import { afterFile } from "../testing/cleanup.ts";
import { longestDelay } from "../testing/event-loop.ts";
import { httpWorkerFile } from "../testing/http-worker.ts";
import { openHttpThread } from "./http-thread.ts";

const MB = 1024 * 1024;

const thread = openHttpThread(httpWorkerFile);
afterFile(async () => thread.close());

/** Sends `bytes` as soon as something arrives. */
async function serve(bytes: Buffer | string, onConnection: (socket: Socket) => void = () => undefined) {
  const server = createServer((socket) => {
    onConnection(socket);
    socket.on("error", () => undefined).once("data", () => socket.write(bytes));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  afterFile(async () => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const get = (url: string, signal?: AbortSignal) => thread.send({ url, method: "GET", headers: {} }, signal);
const OK = "HTTP/1.1 200 OK\r\n";

test("R36B H1: a service is looked up by the process, not by the thread", async () => {
  const url = await serve(`${OK}content-length: 2\r\n\r\nok`);
  const lookup = vi.spyOn(dns, "lookup").mockResolvedValue([{ address: "127.0.0.1", family: 4 }] as never);
  const response = await get(url.replace("127.0.0.1", "bucket.internal"));
  expect((await response.read(10)).toString()).toBe("ok");
  expect(lookup).toHaveBeenCalledOnce();
  lookup.mockRestore();
});

describe("what a service sends does not delay the event loop", () => {
  test("R34B B3: informational answers before a good one", async () => {
    const url = await serve(
      "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(200_000) + `${OK}content-length: 2\r\n\r\nok`,
    );
    const delay = await longestDelay(
      get(url).then(async (response) => {
        expect(response.status).toBe(200);
        expect((await response.read(10)).toString()).toBe("ok");
      }),
    );
    expect(delay).toBeLessThan(300);
  });

  test("R34B: a body in parts of one byte", async () => {
    const url = await serve(
      `${OK}transfer-encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(1_000_000)}0\r\n\r\n`,
    );
    const delay = await longestDelay(
      get(url).then(async (response) => expect(await response.read(MB)).toHaveLength(1_000_000)),
    );
    expect(delay).toBeLessThan(300);
  });
});

test("a body that is too long, cut or endless is an error, and the thread goes on", async () => {
  const long = await serve(`${OK}content-length: 11\r\n\r\n${"x".repeat(11)}`);
  await expect(get(long).then(({ read }) => read(10))).rejects.toThrow("too long");
  const endless = await serve(`${OK}\r\n${"x".repeat(100)}`);
  await expect(get(endless).then(({ read }) => read(10))).rejects.toThrow("too long");
  const cut = await serve(`${OK}content-length: 11\r\n\r\nx`, (socket) =>
    setTimeout(() => socket.destroy(), 50),
  );
  await expect(get(cut).then(({ read }) => read(20))).rejects.toThrow();
  const upgrade = await serve(
    "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
  );
  await expect(get(upgrade)).rejects.toThrow("changes the protocol");
  await expect(get("http://127.0.0.1:1/")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  await expect(
    thread.send({ url: long, method: "GET", headers: { "not a header": "x" } }),
  ).rejects.toMatchObject({ code: "ERR_INVALID_HTTP_TOKEN" });
  expect(await get(long).then(({ read }) => read(20))).toHaveLength(11);
});

test("a request that is aborted closes its connection", async () => {
  let closed = 0;
  const count = (socket: Socket) => socket.on("close", () => closed++);
  const before = AbortSignal.timeout(50);
  await expect(get(await serve("", count), before)).rejects.toMatchObject({ name: "AbortError" });
  const controller = new AbortController();
  const response = await get(await serve(`${OK}content-length: 9\r\n\r\nx`, count), controller.signal);
  const body = expect(response.read(10)).rejects.toMatchObject({ name: "AbortError" });
  controller.abort();
  await body;
  (await get(await serve(`${OK}content-length: 9\r\n\r\nx`, count))).discard();
  await vi.waitUntil(() => closed === 3);
});

test("bodies of requests and responses are whole, and HEAD has none", async () => {
  const echo = createHttpServer(async (request, response) => {
    const body = request.method === "HEAD" ? Buffer.alloc(20 * MB) : await buffer(request);
    response.writeHead(200, { "content-length": body.length }).end(body);
  });
  await new Promise<void>((done) => echo.listen(0, "127.0.0.1", done));
  afterFile(async () => void echo.close());
  const url = `http://127.0.0.1:${(echo.address() as AddressInfo).port}/`;
  const pooled = Buffer.from("part of a larger buffer");
  for (const body of [pooled, Buffer.alloc(15 * MB, 7)]) {
    const response = await thread.send({ url, method: "PUT", headers: {}, body });
    expect(Buffer.compare(await response.read(16 * MB), body)).toBe(0);
  }
  expect(pooled.toString()).toBe("part of a larger buffer");
  const head = await thread.send({ url, method: "HEAD", headers: {} });
  expect(head.headers["content-length"]).toBe(String(20 * MB));
  expect(await head.read(10)).toHaveLength(0);
});

describe("a thread", () => {
  const folder = mkdtempSync(join(tmpdir(), "blog-thread-"));
  afterFile(async () => rmSync(folder, { recursive: true }));
  const open = (code: string) => {
    const file = join(folder, `${code.length}.mjs`);
    writeFileSync(
      file,
      `import { parentPort } from "node:worker_threads";\nparentPort.on("message", ({ id, method }) => { ${code} });`,
    );
    const opened = openHttpThread(file);
    afterFile(async () => opened.close());
    return (method: string, signal?: AbortSignal) =>
      opened.send({ url: "http://127.0.0.1", method, headers: {} }, signal);
  };
  const reply = 'parentPort.postMessage({ id, kind: "head", status: 200, headers: {} });';

  test("that ends fails its requests, and the next one gets another", async () => {
    const send = open(`if (method === "end") throw new Error("broken"); ${reply}`);
    await expect(send("end")).rejects.toThrow("broken");
    expect((await send("reply")).status).toBe(200);
  });

  test("that does not respond to an abort is replaced", { timeout: 15_000 }, async () => {
    const send = open(`while (method === "hang"); ${reply}`);
    await expect(send("hang", AbortSignal.timeout(50))).rejects.toMatchObject({ name: "AbortError" });
    await expect(send("waits")).rejects.toThrow("does not respond");
    expect((await send("reply")).status).toBe(200);
  });
});
