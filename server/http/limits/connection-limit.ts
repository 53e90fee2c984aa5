import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import type { Socket } from "node:net";
import { originOf } from "../origin.ts";
import type { ErrorCode } from "../../errors.ts";
import { createBudget } from "../../event-loop/time-budget.ts";
import type { Limits } from "../../limits.ts";
import { networkOf } from "../../networks.ts";
import { isLoopbackAddress } from "../local-request.ts";
import type { Metric } from "../metrics.ts";
import { respondEarly, type Middleware } from "../middleware.ts";
import { rawResponse } from "./raw-response.ts";
import { hasRequest } from "./connection-queue.ts";

/** File descriptors for anything but client connections. */
const RESERVED = 200;
/** Open files if the system does not report its limit. */
const DEFAULT_FILES = 10_000;
/** Headers of a request, of which a browser sends about twenty, and characters of one. */
const [HEADERS, CONTENT_TYPE] = [100, 250];

/** Part of all connections beyond which new ones close idle ones of the network that has most. */
const NEARLY_FULL = 0.95;
const MAX_CHECKS = 100;

/** One network, which may be a proxy, gets half the connections. Idle ones of a proxy may wait for clients that do not read. */
export function limitConnections(
  { server }: FastifyInstance,
  { newConnections }: Pick<Limits, "newConnections">,
  { mayBeProxy = isLoopbackAddress, most = mostConnections() } = {},
): Metric[] {
  server.maxConnections = most;
  // Node 20 silently drops headers beyond this number, later ones refuse them. One more reveals that there were too many.
  server.maxHeadersCount = HEADERS + 1;
  const connections = createConnections();
  const charge = createBudget(newConnections);
  let [open, refused] = [0, 0];
  server.on("drop", () => void refused++);
  // Node's own listener prepares a parser, which a refused connection does not need.
  const listeners = server.rawListeners("connection");
  server.removeAllListeners("connection").on("connection", (socket: Socket) => {
    const address = networkOf(originOf(socket.remoteAddress ?? ""));
    if (!mayBeProxy(socket.remoteAddress)) {
      if (charge(address, 0) > 0) {
        refused++;
        return void socket.resetAndDestroy();
      }
      charge(address, 1);
    }
    for (const listener of listeners) listener.call(server, socket);
    connections.add(address, socket);
    open++;
    socket.once("close", () => void open--);
    if (connections.countOf(address) > most / 2 && !connections.closeIdle(address)) {
      refused++;
      socket.destroy();
    } else if (open > most * NEARLY_FULL) connections.closeIdle(connections.largest());
  });
  return [
    { name: "blog_http_connections", help: "Open client connections.", read: () => open },
    {
      name: "blog_http_connections_limit",
      help: "Maximum number of open client connections.",
      read: () => most,
    },
    {
      name: "blog_http_connections_refused_total",
      help: "Client connections closed at once: beyond the limit of all, of one network, or of its new ones.",
      read: () => refused,
    },
  ];
}

function createConnections() {
  const byNetwork = new Map<string, Set<Socket>>();
  const remove = (network: string, socket: Socket) => {
    const sockets = byNetwork.get(network);
    if (sockets?.delete(socket) && sockets.size === 0) byNetwork.delete(network);
  };
  return {
    add(network: string, socket: Socket): void {
      byNetwork.set(network, (byNetwork.get(network) ?? new Set()).add(socket));
      socket.once("close", () => remove(network, socket));
    },
    countOf: (network: string): number => byNetwork.get(network)?.size ?? 0,
    largest: (): string =>
      [...byNetwork].reduce((one, other) => (other[1].size > one[1].size ? other : one), ["", new Set()])[0],
    /** Checks the connections that were checked longest ago. @returns whether it has closed one */
    closeIdle(network: string): boolean {
      const sockets = byNetwork.get(network) ?? new Set();
      let checks = 0;
      for (const socket of sockets) {
        if (!hasRequest(socket)) {
          remove(network, socket);
          // Unlike an end, a reset frees the files of a proxy whose client does not read.
          socket.resetAndDestroy();
          return true;
        }
        sockets.delete(socket);
        sockets.add(socket);
        if (++checks === MAX_CHECKS) return false;
      }
      return false;
    },
  };
}

/** Of many headers Node could drop the address that a proxy appended, and Apollo parses long media types in quadratic time. */
export const limitHeaders: Middleware = (next) => (call) => {
  const { rawHeaders, headers } = call.request;
  const isAllowed = (headers["content-type"]?.length ?? 0) <= CONTENT_TYPE;
  if (rawHeaders.length / 2 <= HEADERS && isAllowed) return next(call);
  const message = isAllowed
    ? `a request may have ${HEADERS} headers`
    : `the header Content-Type may have ${CONTENT_TYPE} characters`;
  respondEarly(call.response, 431, { message, code: "BAD_USER_INPUT" }, { connection: "close" });
};

/** Responds to requests that Node's parser refuses, in the shape of all other errors. */
export function respondToParseError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  socket.write(rawResponse(...(parseErrors[error.code ?? ""] ?? malformed)));
  socket.destroySoon();
}

type Refused = [status: string, { message: string; code: ErrorCode }];
const malformed: Refused = [
  "400 Bad Request",
  { message: "the request is not valid HTTP", code: "BAD_USER_INPUT" },
];
const parseErrors: Record<string, Refused> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    { message: `a request may have ${HEADERS} headers, of 16 kB in all`, code: "BAD_USER_INPUT" },
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    "408 Request Timeout",
    { message: "the request was sent too slowly", code: "REQUEST_TIMEOUT" },
  ],
};

/** A connection that reads a picture takes two files. */
function mostConnections(): number {
  try {
    const [, files] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return Math.max(
      100,
      Math.min(DEFAULT_FILES, Math.floor((Number(files ?? DEFAULT_FILES) - RESERVED) / 2)),
    );
  } catch {
    return DEFAULT_FILES;
  }
}
