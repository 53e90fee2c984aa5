import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { startTestApp } from "../testing/app.ts";
import { startProcess } from "../testing/processes.ts";

test("a request that arrives on an open connection while the blog stops is served", async () => {
  let isDraining = false;
  const { app, port } = await startProcess(await startTestApp(), { isDraining: () => isDraining });
  const socket = connect(port, "127.0.0.1");
  const response = text(socket);
  // A connection with a part of a request is not idle, and is not closed.
  const accepted = new Promise<void>((done) => app.server.once("connection", () => done()));
  socket.write("GET /api/categories HTTP/1.1\r\nHost: x\r\n");
  await accepted;
  await new Promise((done) => setTimeout(done, 50));
  isDraining = true;
  const closed = app.close();
  await new Promise((done) => setTimeout(done, 50));
  socket.write("\r\n");
  expect(await response).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*connection: close\r\n/i);
  await closed;
});
