import type { Socket } from "node:net";

/** `HTTPParser.kOnBody` of all versions of Node that the blog supports; its module is internal. */
const ON_BODY = 3;

type Parser = { onIncoming?: () => number; [ON_BODY]?: unknown };

/** Milliseconds. A connection that is closed while data is unread is reset, and a proxy may not have read the refusal then. */
const LINGER = 500;

/**
 * Closes a connection, and skips the packet that has been received: Node's parser would go on with it after `destroy`, with
 * thousands of requests or chunks in one event-loop iteration.
 * @param refusal the bytes of a response, sent first: without any, proxies consider the process broken
 */
export function cutConnection(socket: Socket, refusal?: string): void {
  const { parser } = socket as Socket & { parser?: Parser | null };
  if (parser) {
    const onBody = parser[ON_BODY];
    // Skips the body of each request.
    parser.onIncoming = () => 2;
    // Without a function the parser calls nothing. Parsers are used again, so it gets it back once the packet is parsed.
    if (onBody) setImmediate(() => (parser[ON_BODY] = onBody));
    parser[ON_BODY] = null;
  }
  if (refusal === undefined || !socket.writable) return void socket.destroy();
  socket.pause();
  socket.end(refusal);
  const timer = setTimeout(() => socket.destroy(), LINGER);
  socket.once("close", () => clearTimeout(timer));
}
