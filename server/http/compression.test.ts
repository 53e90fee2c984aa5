import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { compressFor } from "./compression.ts";

const request = () => ({ headers: { "accept-encoding": "gzip, br" } }) as unknown as IncomingMessage;

test("A1: large responses are compressed up to a concurrent limit, and then sent uncompressed", async () => {
  const body = Buffer.from(randomBytes(1_200_000).toString("latin1"));
  const responses = await Promise.all([1, 2, 3, 4].map(() => compressFor(request(), body)));
  expect(responses.map((response) => response?.encoding ?? null)).toEqual(["gzip", null, null, null]);
  const later = await compressFor(request(), body);
  expect(gunzipSync(later?.bytes ?? "").equals(body)).toBe(true);
});

test("of bodies above 64 kB one is compressed at a time, and two smaller ones beside it", async () => {
  const compressAll = (size: number) =>
    Promise.all(
      [1, 2, 3].map(() => compressFor(request(), Buffer.from(randomBytes(size).toString("base64")))),
    );
  const [large, small] = await Promise.all([compressAll(90_000), compressAll(10_000)]);
  expect(large.map((response) => response?.encoding ?? null)).toEqual(["br", null, null]);
  expect(small.map((response) => response?.encoding ?? null)).toEqual(["br", "br", null]);
});

test("a body that is sent again is compressed once", async () => {
  const body = Buffer.from("one text ".repeat(1_000));
  const first = await compressFor(request(), body);
  expect((await compressFor(request(), body))?.bytes).toBe(first?.bytes);
  const gzipOnly = { headers: { "accept-encoding": "gzip" } } as unknown as IncomingMessage;
  expect(await compressFor(gzipOnly, body)).toMatchObject({ encoding: "gzip" });
});
