import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { startProcess } from "../testing/processes.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});

// A connection with a part of a request is not idle; a new one has sent nothing yet.
test.each(["", "GET /api/categories HTTP/1.1\r\n"])(
  "a request that arrives on an open connection while the blog stops is served: %j came before",
  async (before) => {
    const { app, port } = await startProcess(blog);
    const socket = connect(port, "127.0.0.1");
    const response = text(socket);
    const accepted = new Promise<void>((done) => app.server.once("connection", () => done()));
    socket.write(before);
    await accepted;
    await new Promise((done) => setTimeout(done, 50));
    const closed = app.close();
    await new Promise((done) => setTimeout(done, 50));
    socket.write("GET /api/categories HTTP/1.1\r\nHost: x\r\n\r\n".slice(before.length));
    expect(await response).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*connection: close\r\n/i);
    await closed;
  },
);

test("a connection on which nothing arrives does not delay the stop for long", async () => {
  const { app, port } = await startProcess(blog);
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  await new Promise<void>((done) => app.server.once("connection", () => done()));
  const began = performance.now();
  await app.close();
  expect(performance.now() - began).toBeLessThan(3_000);
  socket.destroy();
});
