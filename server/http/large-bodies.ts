import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { BlogError } from "../errors.ts";
import { BODY_BYTES } from "../limits.ts";

export const bodyTooLarge = () => new BlogError("PAYLOAD_TOO_LARGE", "the body is too large");

/** Whether a body is announced to be larger than what anybody may send. */
export const isLarge = ({ headers }: FastifyRequest): boolean =>
  Number(headers["content-length"] ?? 0) > BODY_BYTES;

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
