import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import { LIMITS } from "../../limits.ts";
import { createBulkhead } from "../../queue.ts";

/** JSON text that is written piece by piece, so that its length costs no memory. */
export class JsonStream {
  constructor(readonly write: () => AsyncIterable<string>) {}
}

type Present<T> = (chunk: T[]) => unknown[] | Promise<unknown[]>;

/** A JSON array of all rows of all chunks. */
export const streamArray = <T>(chunks: AsyncIterable<T[]>, present: Present<T>): JsonStream =>
  new JsonStream(() => writeArray(chunks, present));

/** An object whose last key is an array of all rows of all chunks. */
export const streamObject = <T>(head: object, key: string, chunks: AsyncIterable<T[]>, present: Present<T>) =>
  new JsonStream(async function* () {
    yield `${JSON.stringify(head).slice(0, -1)},${JSON.stringify(key)}:`;
    yield* writeArray(chunks, present);
    yield "}";
  });

/** One write for each chunk, and a turn of the event loop for everybody else between two of them. */
async function* writeArray<T>(chunks: AsyncIterable<T[]>, present: Present<T>): AsyncGenerator<string> {
  let separator = "[";
  for await (const chunk of chunks) {
    const items = await present(chunk);
    if (items.length === 0) continue;
    yield separator + items.map((item) => JSON.stringify(item)).join(",");
    separator = ",";
    await nextTurn();
  }
  yield separator === "[" ? "[]" : "]";
}

const places = createBulkhead("streams");

/** Seconds after which a stream has to keep to the rate, while others wait for its place; and to eight times of it. */
const [GRACE, LONG] = [10, 30];

/**
 * Begins a stream when one of the places is free, and gives the place back when the response is closed. An origin has
 * two of the four at most.
 * @param reader.patience milliseconds after which a reader who makes no progress is cut off
 * @throws UNAVAILABLE
 */
export async function openStream(
  stream: JsonStream,
  { raw, request }: FastifyReply,
  { origin, timeoutMs }: { origin: string; timeoutMs: number },
): Promise<Readable> {
  // Fastify would read all of it to answer HEAD.
  if (request.method === "HEAD") return Readable.from([]);
  const leave = await places.enter(origin);
  const isOver = raw.destroyed || raw.socket?.destroyed === true;
  if (isOver) leave();
  else holdPlace(raw, timeoutMs, leave);
  return Readable.from(isOver ? [] : stream.write());
}

function holdPlace(raw: FastifyReply["raw"], timeoutMs: number, leave: () => void): void {
  const [since, before] = [performance.now(), raw.socket?.bytesWritten ?? 0];
  raw.setTimeout(timeoutMs, () => raw.destroy());
  const watch = setInterval(() => {
    const seconds = (performance.now() - since) / 1_000;
    const rate = ((raw.socket?.bytesWritten ?? 0) - before) / seconds;
    const wanted = LIMITS.streamRate * (seconds > LONG ? 8 : 1);
    if (seconds > GRACE && places.hasWaiting() && rate < wanted) raw.destroy();
  }, 1_000).unref();
  raw.once("close", () => {
    clearInterval(watch);
    leave();
  });
}
