import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "../../networks.ts";
import type { Middleware } from "../middleware.ts";
import { originOf } from "../origin.ts";

/** Bytes of a response, with its head, that every proxy reads without waiting for its client. */
const SMALL = 4 * 1024;
/**
 * Connections of one network, milliseconds after which one is taken for idle, and those for which a proxy waits for a client
 * that reads nothing (`write` in deploy/caddy).
 */
const DEFAULTS = { most: 200, idle: 5_000, wait: 300_000 };

/**
 * A proxy holds a connection until its client has read the response, which has left this process for the buffers of the
 * kernel. Clients that read nothing would use up connections and memory of both, so each network has a limit.
 * Counts connections of a proxy with a request of the network, and those without one since a large or chunked response to
 * it: of a chunked one, Caddy writes each part before it reads the next, or the end.
 */
export function limitHeldConnections(
  networkFrom: (request: IncomingMessage) => string,
  { most, idle, wait } = DEFAULTS,
): Middleware {
  const connections = createConnections(wait);
  return (next) => (call) => {
    const { request, response } = call;
    const { socket } = request;
    connections.remove(socket);
    if (!isForwarded(request)) return next(call);
    const network = networkFrom(request);
    if (network === networkOf(originOf(socket.remoteAddress ?? ""))) return next(call);
    if (connections.countOf(network) >= most) {
      connections.endIdle(network, idle);
      // Without a body, for which the proxy would have to wait as well.
      return void response.writeHead(429, { "content-length": 0, "retry-after": "1" }).end();
    }
    const before = socket.bytesWritten;
    connections.add(network, socket);
    response.once("close", () => {
      const isRead = !response.chunkedEncoding && socket.bytesWritten - before <= SMALL;
      if (isRead) connections.remove(socket);
      else connections.hold(socket);
    });
    next(call);
  };
}

const isForwarded = ({ headers }: IncomingMessage) =>
  headers["x-forwarded-for"] !== undefined || headers["forwarded"] !== undefined;

/** Of a network: those with a request, and those that are held, the oldest first with their time. */
type Connections = { running: Set<Socket>; held: Map<Socket, number> };

function createConnections(wait: number) {
  const byNetwork = new Map<string, Connections>();
  const networks = new WeakMap<Socket, string>();
  const known = new WeakSet<Socket>();
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
  /** A proxy does not notice that its connection was closed here, while it waits for its client. */
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
      if (known.has(socket)) return;
      known.add(socket);
      socket.once("close", () => removeClosed(socket));
    },
    hold(socket: Socket): void {
      const { running, held } = of(networks.get(socket) ?? "");
      if (running.delete(socket)) held.set(socket, performance.now());
    },
    /** A proxy that keeps a connection for later requests closes it as well. */
    endIdle(network: string, idle: number): void {
      for (const [socket, since] of of(network).held) {
        if (performance.now() - since < idle) return;
        if (!socket.writableEnded) socket.end();
      }
    },
  };
}
