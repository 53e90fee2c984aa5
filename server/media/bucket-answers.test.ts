import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { afterFile } from "../testing/cleanup.ts";
import { openBucket } from "./bucket.ts";

const ERROR = "<Error><Code>InternalError</Code></Error>";

let answer = (response: ServerResponse): unknown => response.end();
const server = createServer((request, response) => {
  request.resume();
  answer(response);
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
afterFile(async () => {
  server.closeAllConnections();
  server.close();
});
const { port } = server.address() as AddressInfo;
const keys = { accessKeyId: "a", secretAccessKey: "b" };
const bucket = await openBucket({
  bucket: "pictures",
  endpoint: `http://127.0.0.1:${port}`,
  region: "x",
  keys,
});
afterFile(async () => bucket.close());

const read = () => bucket.read("ab345678-1234-4234-8234-123456789012", "picture.jpg");

// 300 kB took 49 s: the SDK copies the whole answer for each.
test.each(["<!DOCTYPE a>", "<!doctype a>"])("R31B B1: an answer of many %s is not parsed", async (type) => {
  const body = Buffer.from(`<?xml version="1.0"?>${type.repeat(80_000)}${ERROR}`);
  for (const status of [500, 404]) {
    answer = (response) => response.writeHead(status, { "content-type": "application/xml" }).end(body);
    const began = performance.now();
    await expect(read()).rejects.toThrow();
    expect(performance.now() - began).toBeLessThan(5_000);
  }
});

test("a document type between two packets is found", async () => {
  answer = (response) => {
    response.writeHead(500, { "content-type": "application/xml" }).write("<!DOC");
    setTimeout(() => response.end(`TYPE a>${ERROR}`), 20);
  };
  await expect(read()).rejects.toThrow();
});

test("a picture may contain one", async () => {
  const picture = Buffer.from("RIFF <!DOCTYPE a>");
  answer = (response) => response.writeHead(200).end(picture);
  expect(Buffer.from((await read()) ?? [])).toEqual(picture);
});
