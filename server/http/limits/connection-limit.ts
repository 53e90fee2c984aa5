import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import type { Socket } from "node:net";
import { originOf } from "../origin.ts";
import type { ErrorCode } from "../../errors.ts";
import { networkOf } from "../../networks.ts";
import { createCounter } from "../../queue.ts";
import type { Metric } from "../metrics.ts";
import { respondEarly, type Middleware } from "../middleware.ts";

/** File descriptors for anything but client connections. */
const RESERVED = 200;
/** Open files if the system does not report its limit. */
const DEFAULT_FILES = 10_000;
/** Per request; a browser sends about twenty. */
const HEADERS = 100;

/** A connection that reads a picture takes two files. One network, which may be a proxy, gets half the connections. */
export function limitConnections({ server }: FastifyInstance, most = mostConnections()): Metric[] {
  server.maxConnections = most;
  // Node 20 silently drops headers beyond this number, later ones refuse them. One more reveals that there were too many.
  server.maxHeadersCount = HEADERS + 1;
  const connections = createCounter();
  let [open, refused] = [0, 0];
  server.on("drop", () => void refused++);
  server.on("connection", (socket: Socket) => {
    const address = networkOf(originOf(socket.remoteAddress ?? ""));
    connections.add(address);
    open++;
    socket.once("close", () => {
      connections.remove(address);
      open--;
    });
    if (connections.countOf(address) <= most / 2) return;
    refused++;
    socket.destroy();
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
      help: "Client connections that were closed at once, because all or those of one network were too many.",
      read: () => refused,
    },
  ];
}

/** Otherwise Node could drop the address that a proxy appended, and a forged X-Forwarded-For would be trusted. */
export const refuseManyHeaders: Middleware = (next) => (call) => {
  if (call.request.rawHeaders.length / 2 <= HEADERS) return next(call);
  const refusal = { message: `a request may have ${HEADERS} headers`, code: "BAD_USER_INPUT" };
  respondEarly(call.response, 431, refusal, { connection: "close" });
};

/** Responds to requests that Node's parser refuses, in the shape of all other errors. */
export function respondToParseError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, refused] = parseErrors[error.code ?? ""] ?? malformed;
  const { message, code } = refused;
  const body = JSON.stringify({ message, code, errors: [{ message, extensions: { code } }] });
  const head = [
    `HTTP/1.1 ${status}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "cache-control: no-store",
    "connection: close",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
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
