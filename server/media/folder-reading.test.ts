import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PictureRequest } from "../domain/ports.ts";
import { openFolder } from "./folder.ts";

const folder = await mkdtemp(join(tmpdir(), "blog-reading-"));
afterAll(() => rm(folder, { recursive: true }));
const files = openFolder(folder);
const id = randomUUID();
const bytes = Buffer.from("0123456789".repeat(10_000));
let etag = "";
let modified = "";
beforeAll(async () => {
  await files.create(id, [{ name: "480.webp", bytes }]);
  const whole = await read({});
  [etag = "", modified = ""] = [whole?.headers["etag"], whole?.headers["last-modified"]];
});
const read = (headers: PictureRequest["headers"], request: Partial<PictureRequest> = {}) =>
  files.open({ id, file: "480.webp", method: "GET", headers, ...request });

test("a file is sent whole, with what caches need", async () => {
  const { status, headers, body } = (await read({}))!;
  expect([status, headers["content-type"], headers["content-length"]]).toEqual([200, "image/webp", "100000"]);
  expect(body?.equals(bytes)).toBe(true);
  expect([etag, modified]).toEqual([expect.stringMatching(/^"/), expect.stringMatching(/GMT$/)]);
  expect(await read({}, { file: "960.webp" })).toBeNull();
  expect(await read({}, { method: "HEAD" })).toEqual({ status, headers, body: null });
});

test.each([
  ["bytes=10-19", 10, 19],
  ["bytes=99990-", 99_990, 99_999],
  ["bytes=99990-200000", 99_990, 99_999],
  ["bytes=-5", 99_995, 99_999],
  ["bytes=-200000", 0, 99_999],
])("R37B H1: of %s no more is read, reserved and sent", async (range, first, last) => {
  const reserved: number[] = [];
  const admit = async (length: number) => reserved.push(length) > 0;
  const { status, headers, body } = (await read({ range }, { admit }))!;
  const length = last - first + 1;
  expect([status, headers["content-range"]]).toEqual([206, `bytes ${first}-${last}/100000`]);
  expect([reserved, headers["content-length"]]).toEqual([[length], String(length)]);
  expect(body?.equals(bytes.subarray(first, last + 1))).toBe(true);
  expect(body?.buffer.byteLength).toBe(length);
});

test("conditions are respected", async () => {
  const past = new Date(0).toUTCString();
  const expected: [PictureRequest["headers"], number][] = [
    [{ "if-none-match": etag }, 304],
    [{ "if-none-match": `W/${etag}` }, 304],
    [{ "if-none-match": '"other"', "if-modified-since": modified }, 200],
    [{ "if-modified-since": modified }, 304],
    [{ "if-modified-since": past }, 200],
    [{ "if-modified-since": "yesterday" }, 200],
    [{ range: "bytes=1-2", "if-range": etag }, 206],
    [{ range: "bytes=1-2", "if-range": modified }, 206],
    [{ range: "bytes=1-2", "if-range": '"other"' }, 200],
    [{ range: "bytes=0-1,5-6" }, 200],
    [{ range: "bytes=5-1" }, 200],
    [{ range: "lines=1" }, 200],
    [{ range: "bytes=100000-" }, 416],
    [{ range: "bytes=-0" }, 416],
  ];
  for (const [headers, status] of expected)
    expect([headers, (await read(headers))?.status]).toEqual([headers, status]);
  expect((await read({ range: "bytes=100000-" }))?.headers["content-range"]).toBe("bytes */100000");
});
