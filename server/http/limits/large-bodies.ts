import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { BlogError, bodyTooLarge } from "../../errors.ts";
import { BODY_BYTES, LARGE_BODIES_PER_ACCOUNT } from "../../limits.ts";
import { createCounter } from "../../queue.ts";

/** Whether Content-Length exceeds BODY_BYTES, the limit without an account. */
export const isLarge = ({ headers }: FastifyRequest): boolean =>
  Number(headers["content-length"] ?? 0) > BODY_BYTES;

const inProgress = createCounter();

/** Counts a large body of an account until it is received. @throws RATE_LIMITED */
export function countLargeBody({ raw }: FastifyRequest, account: string): void {
  if (inProgress.countOf(account) >= LARGE_BODIES_PER_ACCOUNT)
    throw new BlogError(
      "RATE_LIMITED",
      "too many large requests at once, please wait until the others are done",
      {
        retryAfter: 5,
      },
    );
  // A destroyed request emits no further `close` and would be counted for ever.
  if (raw.destroyed) return;
  inProgress.add(account);
  raw.once("close", () => inProgress.remove(account));
}

/**
 * For bodies without Content-Length: chunks may be single bytes, each of which would hold the whole buffer of its
 * packet. The stream yields one buffer, and fails with PAYLOAD_TOO_LARGE beyond `limit` bytes.
 */
export const limitBodyStream = (payload: AsyncIterable<Buffer>, limit = BODY_BYTES): Readable =>
  Readable.from(collect(payload, limit));

async function* collect(payload: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer> {
  let [body, length] = [Buffer.alloc(1_024), 0];
  for await (const chunk of payload) {
    const needed = length + chunk.length;
    if (needed > limit) throw bodyTooLarge();
    if (needed > body.length) body = Buffer.concat([body], Math.max(needed, 2 * body.length));
    length += chunk.copy(body, length);
  }
  yield body.subarray(0, length);
}
