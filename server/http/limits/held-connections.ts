import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "../../networks.ts";
import type { Metric } from "../metrics.ts";
import type { Middleware } from "../middleware.ts";
import { originOf } from "../origin.ts";
import type { Scheduler } from "./event-loop-scheduler.ts";
import type { RefusalPacer } from "./refusal-pacer.ts";

/** Bytes of a response, with its head, that every proxy reads without waiting for its client. */
const SMALL = 4 * 1024;
/** Connections and delayed refusals of a network. Milliseconds until a held connection may be ended, until it is, and that a proxy waits for its client. */
const DEFAULTS = { most: 200, delayed: 400, idle: 5_000, end: 65_000, wait: 300_000 };

/**
 * A proxy holds a connection until its client has read the response, which has left this process for the buffers of the
 * kernel. Clients that read nothing would use up connections and memory of both, so each network has a limit.
 * Counts connections with a request of the network, or none since a large or chunked response, whose end Caddy reads late.
 */
export function limitHeldConnections(
  networkFrom: (request: IncomingMessage) => string,
  { pacer, scheduler }: { pacer: RefusalPacer; scheduler: Pick<Scheduler, "quick"> },
  { most, delayed, idle, end, wait } = DEFAULTS,
): { middleware: Middleware; metric: Metric } {
  const connections = createConnections(wait);
  setInterval(() => connections.endIdle(end), end / 10).unref();
  let refused = 0;
  const middleware: Middleware = (next) => (call) => {
    const { request, response } = call;
    const { socket } = request;
    connections.remove(socket);
    if (!isForwarded(request)) return next(call);
    const network = networkFrom(request);
    if (network === networkOf(originOf(socket.remoteAddress ?? ""))) return next(call);
    if (connections.countOf(network) >= most) {
      connections.endIdle(idle, network);
      refused++;
      // Without a body, for which the proxy would have to wait as well.
      const send = () => void response.writeHead(429, { "content-length": 0, "retry-after": "1" }).end();
      // Delayed ones take connections of the proxy, too.
      if (pacer.delayedOf(network) >= delayed) return scheduler.quick(send, network);
      return pacer.pace({ network, response, send, drop: () => scheduler.quick(send, network) });
    }
    const before = socket.bytesWritten;
    connections.add(network, socket);
    // Node warns beyond ten, and a streamed response has ten already.
    response.setMaxListeners(20);
    response.once("close", () => {
      const isRead = !response.chunkedEncoding && socket.bytesWritten - before <= SMALL;
      if (isRead) connections.remove(socket);
      else connections.hold(socket);
    });
    next(call);
  };
  const metric: Metric = {
    name: "blog_http_held_connections_refused_total",
    help: "Requests through a proxy that got 429, because clients of their network hold too many of its connections.",
    read: () => refused,
  };
  return { middleware, metric };
}

const isForwarded = ({ headers }: IncomingMessage) =>
  headers["x-forwarded-for"] !== undefined || headers["forwarded"] !== undefined;

/** Of a network: those with a request, and those that are held, the oldest first with their time. */
type Connections = { running: Set<Socket>; held: Map<Socket, number> };

function createConnections(wait: number) {
  const byNetwork = new Map<string, Connections>();
  const networks = new WeakMap<Socket, string>();
  const withListeners = new WeakSet<Socket>();
  const of = (network: string) => byNetwork.get(network) ?? { running: new Set(), held: new Map() };
  const countOf = (network: string) => of(network).running.size + of(network).held.size;
  const remove = (socket: Socket) => {
    const network = networks.get(socket);
    if (network === undefined) return;
    networks.delete(socket);
    of(network).running.delete(socket);
    of(network).held.delete(socket);
    if (countOf(network) === 0) byNetwork.delete(network);
  };
  /** Waits until the proxy closes the connection as well: it does not, while it waits for its client. */
  const end = (socket: Socket) => {
    socket.setTimeout(wait);
    socket.end();
  };
  /** A proxy does not notice that its connection was destroyed here, while it waits for its client. */
  const removeClosed = (socket: Socket) => {
    if (socket.readableEnded || socket.errored) remove(socket);
    else setTimeout(() => remove(socket), wait).unref();
  };
  return {
    countOf,
    remove,
    add(network: string, socket: Socket): void {
      const connections = of(network);
      connections.running.add(socket);
      byNetwork.set(network, connections);
      networks.set(socket, network);
      // A proxy sends many requests on one connection.
      if (withListeners.has(socket)) return;
      withListeners.add(socket);
      // What Node calls after `Connection: close`.
      socket.destroySoon = () => end(socket);
      socket.once("close", () => removeClosed(socket));
    },
    hold(socket: Socket): void {
      const { running, held } = of(networks.get(socket) ?? "");
      if (running.delete(socket)) held.set(socket, performance.now());
    },
    endIdle(idle: number, network?: string): void {
      for (const { held } of network === undefined ? byNetwork.values() : [of(network)])
        for (const [socket, since] of held) {
          if (performance.now() - since < idle) break;
          if (!socket.writableEnded) end(socket);
        }
    },
  };
}
