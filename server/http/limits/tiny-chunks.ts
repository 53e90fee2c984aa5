import type { IncomingMessage } from "node:http";
import { cutConnection } from "./cut-connection.ts";

/** Chunks of a body that may have fewer than AVERAGE bytes on average; a packet may end within a chunk. */
const MAX_TINY = 500;
const AVERAGE = 32;

/** Of chunked bodies. */
export type Received = { chunks: number; bytes: number };

/**
 * Closes the connection of a chunked body of tiny chunks: Node calls back for each, so that 10 MB in chunks of one byte
 * take ten seconds of the event loop.
 * @param received what pipelined requests before this one have sent; this one adds to it
 */
export function refuseTinyChunks(request: IncomingMessage, received: Received): void {
  if (request.headers["transfer-encoding"] === undefined) return;
  const push = request.push.bind(request);
  request.push = (chunk: Buffer | null, encoding) => {
    if (chunk === null) return push(null);
    received.chunks++;
    received.bytes += chunk.length;
    if (received.chunks <= MAX_TINY || received.bytes >= received.chunks * AVERAGE)
      return push(chunk, encoding);
    cutConnection(request.socket);
    return false;
  };
}
