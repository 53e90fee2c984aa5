import { expect, test } from "vitest";
import { streamArray, streamObject } from "./streams.ts";

const row = (length: number) => "x".repeat(length);

async function* chunksOf(...chunks: string[][]) {
  yield* chunks;
}

async function write(...chunks: string[][]) {
  let slices = 0;
  const pieces = [];
  const stream = streamArray(chunksOf(...chunks), (rows) => rows);
  for await (const piece of stream.write(async () => void slices++)) pieces.push(piece);
  return { pieces, slices };
}

test("long rows are written in a time slice each, short ones together", async () => {
  const long = await write([row(70_000), row(70_000), row(70_000)]);
  expect(long.pieces.map((piece) => piece.length)).toEqual([70_003, 70_003, 70_003, 1]);
  expect(long.slices).toBe(4);
  expect((await write(Array.from({ length: 100 }, () => row(1_000)))).pieces).toHaveLength(2);
});

test("the pieces are the array, also an empty one, and the last key of an object", async () => {
  const chunks = [[], ["a", "b"], [], [row(70_000)]];
  expect(JSON.parse((await write(...chunks)).pieces.join(""))).toEqual(chunks.flat());
  expect((await write([])).pieces).toEqual(["[]"]);
  const object = streamObject({ id: 1 }, "rows", chunksOf(["a"]), (rows) => rows);
  let text = "";
  for await (const piece of object.write(async () => undefined)) text += piece;
  expect(text).toBe('{"id":1,"rows":["a"]}');
});
