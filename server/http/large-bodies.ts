import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { BlogError } from "../errors.ts";
import { BODY_BYTES, LARGE_BODIES_PER_ACCOUNT } from "../limits.ts";
import { createCounter } from "../queue.ts";

export const bodyTooLarge = () => new BlogError("PAYLOAD_TOO_LARGE", "the body is too large");

/** Whether a body is announced to be larger than what anybody may send. */
export const isLarge = ({ headers }: FastifyRequest): boolean =>
  Number(headers["content-length"] ?? 0) > BODY_BYTES;

/** Large bodies of an account that are on their way. */
const underWay = createCounter();

/** Counts a large body of an account until it has come. @throws RATE_LIMITED */
export function countLargeBody({ raw }: FastifyRequest, account: string): void {
  if (underWay.countOf(account) >= LARGE_BODIES_PER_ACCOUNT)
    throw new BlogError(
      "RATE_LIMITED",
      "too many large requests at once, please wait until the others are done",
      {
        retryAfter: 5,
      },
    );
  // One that has ended meanwhile would be counted for good.
  if (raw.destroyed) return;
  underWay.add(account);
  raw.once("close", () => underWay.remove(account));
}

/** A body of unknown length, which ends in an error beyond what anybody may send. @throws PAYLOAD_TOO_LARGE */
export const upToLimit = (payload: AsyncIterable<Buffer>): Readable => Readable.from(limited(payload));

async function* limited(payload: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of payload) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES) throw bodyTooLarge();
    yield chunk;
  }
}
