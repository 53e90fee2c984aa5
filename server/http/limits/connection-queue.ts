import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { cutConnection } from "./cut-connection.ts";
import { refuseTinyChunks, type Received } from "./tiny-chunks.ts";

/** Pipelined requests queued per connection: they are parsed before they are queued. Browsers and usual clients do not pipeline. */
const MAX_QUEUED = 16;

type Exchange = [IncomingMessage, ServerResponse];

/** Of a connection, until it has no request left. */
type Queue = { waiting: Exchange[]; received: Received };

const queues = new WeakMap<Socket, Queue>();

export const hasRequest = (socket: Socket): boolean => queues.has(socket);

/**
 * Runs one request per connection at a time. Node emits a pipelined request as soon as it is parsed, but sends the
 * responses in order: without this, a client that reads nothing makes the server compute and buffer any number of
 * responses, and those behind the first never emit `close` when the connection is closed.
 * @param defer starts the next request of a connection in a later event-loop iteration, after those of other connections
 */
export function serializeConnections(
  begin: RequestListener,
  defer: (start: () => void) => void,
): RequestListener {
  function run(socket: Socket, queue: Queue, [request, response]: Exchange): void {
    response.once("close", () => {
      if (queue.waiting.length > 0) defer(() => runNext(socket, queue));
      else queues.delete(socket);
    });
    begin(request, response);
  }

  function runNext(socket: Socket, queue: Queue): void {
    const next = socket.writable ? queue.waiting.shift() : undefined;
    if (next) run(socket, queue, next);
    else queues.delete(socket);
  }

  return (request, response) => {
    const { socket } = request;
    const running = queues.get(socket);
    const queue = running ?? { waiting: [], received: { chunks: 0, bytes: 0 } };
    // Before its turn, since the body of a queued request is parsed, too.
    refuseTinyChunks(request, response, queue.received);
    if (!running) {
      queues.set(socket, queue);
      run(socket, queue, [request, response]);
    } else if (queue.waiting.length < MAX_QUEUED) queue.waiting.push([request, response]);
    else cutConnection(socket);
  };
}
