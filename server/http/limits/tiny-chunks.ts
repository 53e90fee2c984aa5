import type { IncomingMessage } from "node:http";

/** Chunks of a body that may have fewer than AVERAGE bytes on average; a packet may end within a chunk. */
const MAX_TINY = 500;
const AVERAGE = 32;

/**
 * Closes the connection of a chunked body of tiny chunks: Node calls back for each, so that 10 MB in chunks of one byte
 * take ten seconds of the event loop.
 */
export function refuseTinyChunks(request: IncomingMessage): void {
  if (request.headers["transfer-encoding"] === undefined) return;
  const push = request.push.bind(request);
  let [chunks, bytes] = [0, 0];
  request.push = (chunk: Buffer | null, encoding) => {
    if (chunk === null) return push(null);
    chunks++;
    bytes += chunk.length;
    if (chunks <= MAX_TINY || bytes >= chunks * AVERAGE) return push(chunk, encoding);
    request.socket.destroy();
    return false;
  };
}
