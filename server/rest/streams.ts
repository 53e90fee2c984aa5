import { Readable } from "node:stream";

/** A JSON array written chunk by chunk, so that its length costs no memory. */
export const streamArray = <T>(
  chunks: AsyncIterable<T[]>,
  present: (chunk: T[]) => Promise<unknown[]>,
): Readable => Readable.from(writeArray(chunks, present));

async function* writeArray<T>(
  chunks: AsyncIterable<T[]>,
  present: (chunk: T[]) => Promise<unknown[]>,
): AsyncGenerator<string> {
  let separator = "[";
  for await (const chunk of chunks) {
    const items = await present(chunk);
    for (const item of items) {
      yield separator + JSON.stringify(item);
      separator = ",";
    }
  }
  yield separator === "[" ? "[]" : "]";
}
