import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { BODY_BYTES } from "../../limits.ts";
import { limitBodyStream } from "./large-bodies.ts";

const bytes = (count: number) => Readable.from(Array.from({ length: count }, (_, n) => Buffer.of(n % 251)));

test("a body in chunks of one byte becomes one buffer", async () => {
  const chunks: Buffer[] = [];
  for await (const chunk of limitBodyStream(bytes(10_000))) chunks.push(chunk);
  expect(chunks).toHaveLength(1);
  expect(chunks[0]?.equals(await buffer(bytes(10_000)))).toBe(true);
});

test("one byte more than the limit is PAYLOAD_TOO_LARGE", async () => {
  expect(await buffer(limitBodyStream(bytes(BODY_BYTES)))).toHaveLength(BODY_BYTES);
  await expect(buffer(limitBodyStream(bytes(BODY_BYTES + 1)))).rejects.toMatchObject({
    code: "PAYLOAD_TOO_LARGE",
  });
});
