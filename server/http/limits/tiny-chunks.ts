import type { IncomingMessage, ServerResponse } from "node:http";
import { rawResponse } from "./raw-response.ts";
import { cutConnection } from "./cut-connection.ts";

/** Chunks of a body that may have fewer than AVERAGE bytes on average; a packet may end within a chunk. */
const MAX_TINY = 500;
const AVERAGE = 32;

const refusal = rawResponse("400 Bad Request", {
  message: "the body has too many tiny chunks, please send larger ones",
  code: "BAD_USER_INPUT",
});

export type Received = { chunks: number; bytes: number };

/**
 * Closes the connection of a chunked body of tiny chunks: Node calls back for each, so that 10 MB in chunks of one byte
 * take ten seconds of the event loop.
 * @param received what pipelined requests before this one have sent; this one adds to it
 */
export function refuseTinyChunks(
  request: IncomingMessage,
  response: ServerResponse,
  received: Received,
): void {
  if (request.headers["transfer-encoding"] === undefined) return;
  const push = request.push.bind(request);
  let isRefused = false;
  request.push = (chunk: Buffer | null, encoding) => {
    // Nor may it end: what has been received would count as the whole body.
    if (isRefused) return false;
    if (chunk === null) return push(null);
    received.chunks++;
    received.bytes += chunk.length;
    if (received.chunks <= MAX_TINY || received.bytes >= received.chunks * AVERAGE)
      return push(chunk, encoding);
    isRefused = true;
    // The response of a pipelined request has no socket before its turn.
    cutConnection(request.socket, response.socket && !response.headersSent ? refusal : undefined);
    return false;
  };
}
