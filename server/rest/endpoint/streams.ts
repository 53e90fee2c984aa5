import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { createTimeSlicer, type NextSlice } from "../../event-loop/time-slices.ts";
import { compressStream } from "../../http/compression.ts";
import { LIMITS } from "../../limits.ts";
import { createBulkhead } from "../../queue.ts";

/** JSON text that is written chunk by chunk, to keep memory constant. */
export class JsonStream {
  constructor(readonly write: (nextSlice: NextSlice) => AsyncIterable<string>) {}
}

type Present<T> = (chunk: T[]) => unknown[] | Promise<unknown[]>;

export const streamArray = <T>(chunks: AsyncIterable<T[]>, present: Present<T>): JsonStream =>
  new JsonStream((nextSlice) => writeArray(chunks, present, nextSlice));

/** Appends the array of all rows to `head`, as its last key. */
export const streamObject = <T>(head: object, key: string, chunks: AsyncIterable<T[]>, present: Present<T>) =>
  new JsonStream(async function* (nextSlice) {
    yield `${JSON.stringify(head).slice(0, -1)},${JSON.stringify(key)}:`;
    yield* writeArray(chunks, present, nextSlice);
    yield "}";
  });

/** Characters of JSON made in one time slice, beyond which the next row waits. */
const PIECE = 65_536;

async function* writeArray<T>(
  chunks: AsyncIterable<T[]>,
  present: Present<T>,
  nextSlice: NextSlice,
): AsyncGenerator<string> {
  let [piece, separator] = ["", "["];
  for await (const chunk of chunks) {
    for (const item of await present(chunk)) {
      piece += separator + JSON.stringify(item);
      separator = ",";
      if (piece.length < PIECE) continue;
      yield piece;
      piece = "";
      await nextSlice();
    }
    await nextSlice();
  }
  yield piece + (separator === "[" ? "[]" : "]");
}

/** @returns all rows if they are no more than one group, and otherwise the groups */
export async function readFirst<T>(groups: AsyncGenerator<T[]>) {
  const first = await groups.next();
  const second = first.done ? first : await groups.next();
  if (second.done) return { all: first.value ?? [], chunks: null };
  const chunks = (async function* () {
    yield* [first.value ?? [], second.value];
    yield* groups;
  })();
  return { all: null, chunks };
}

const permits = createBulkhead("streams");

/** Seconds after which a stream must keep LIMITS.streamRate, or eight times that, while others wait for a permit. */
const [GRACE, LONG] = [10, 30];

/** Seconds after which a stream that sends nothing ends, while others wait: they give up after ten. */
const STALL = 5;

/**
 * Starts a stream under a permit, and releases it when the response closes. An origin holds two at most.
 * @param reader.timeoutMs inactivity after which the connection is destroyed
 * @param reader.authorize runs after the wait; throws if the reader must not get the stream any more
 * @throws UNAVAILABLE, and the errors of authorize
 */
export async function openStream(
  stream: JsonStream,
  reply: FastifyReply,
  { origin, timeoutMs, authorize }: { origin: string; timeoutMs: number; authorize: () => Promise<void> },
): Promise<Readable> {
  const { raw, request } = reply;
  // Fastify would read the whole stream for HEAD.
  if (request.method === "HEAD") return compressStream(Readable.from([]), reply);
  const release = await permits.acquire(origin);
  await authorize().catch((error: unknown) => {
    release();
    throw error;
  });
  const isClosed = raw.destroyed || raw.socket?.destroyed === true;
  if (isClosed) release();
  else holdPermit(raw, timeoutMs, release);
  return compressStream(Readable.from(isClosed ? [] : stream.write(createTimeSlicer(origin))), reply);
}

function holdPermit(raw: FastifyReply["raw"], timeoutMs: number, release: () => void): void {
  const [since, before] = [performance.now(), raw.socket?.bytesWritten ?? 0];
  let [taken, changedAt] = [0, since];
  raw.setTimeout(timeoutMs, () => raw.destroy());
  const watch = setInterval(() => {
    const seconds = (performance.now() - since) / 1_000;
    // Bytes that the operating system has accepted; bytesWritten includes those buffered in this process.
    const nowTaken = (raw.socket?.bytesWritten ?? 0) - (raw.socket?.writableLength ?? 0);
    if (nowTaken !== taken) [taken, changedAt] = [nowTaken, performance.now()];
    const isStalled = performance.now() - changedAt > STALL * 1_000;
    const rate = ((raw.socket?.bytesWritten ?? 0) - before) / seconds;
    const minimum = LIMITS.streamRate * (seconds > LONG ? 8 : 1);
    // A compressed list may be sent slowly because it is read slowly from the database.
    const isAwaited = raw.writableLength > 0;
    const isSlow = isStalled || (seconds > GRACE && rate < minimum);
    if (isSlow && isAwaited && permits.hasWaiting()) raw.destroy();
  }, 1_000).unref();
  raw.once("close", () => {
    clearInterval(watch);
    release();
  });
}
