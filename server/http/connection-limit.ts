import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import type { Socket } from "node:net";
import { originOf } from "./origin.ts";
import { networkOf } from "../networks.ts";
import { createCounter } from "../queue.ts";
import { answerEarly, type Middleware } from "./middleware.ts";

/** Files that a process needs besides its callers' connections. */
const RESERVED = 200;
/** Where the system does not tell how many files may be open. */
const USUAL = 10_000;
/** Of a request; a browser sends some twenty. */
const HEADERS = 100;

/**
 * Bounds connections by the number of files that may be open, of which one that reads a picture takes two, and one
 * address to half of them, which may be a proxy.
 */
export function limitConnections({ server }: FastifyInstance, most = mostConnections()): void {
  server.maxConnections = most;
  // Node drops what comes behind this number without a word. One more than we take shows that there are too many.
  server.maxHeadersCount = HEADERS + 1;
  const ofAddresses = createCounter();
  server.on("connection", (socket: Socket) => {
    const address = networkOf(originOf(socket.remoteAddress ?? ""));
    ofAddresses.add(address);
    socket.once("close", () => ofAddresses.remove(address));
    if (ofAddresses.countOf(address) > most / 2) socket.destroy();
  });
}

/**
 * Refuses requests with more headers than are read: among those left out could be the address that a proxy has
 * added, and the caller's own X-Forwarded-For would be believed.
 */
export const refuseManyHeaders: Middleware = (next) => (call) => {
  if (call.request.rawHeaders.length / 2 <= HEADERS) return next(call);
  const refusal = { message: `a request may have ${HEADERS} headers`, code: "BAD_USER_INPUT" };
  answerEarly(call.response, 431, refusal, { connection: "close" });
};

function mostConnections(): number {
  try {
    const [, files] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return Math.max(100, Math.min(USUAL, Math.floor((Number(files ?? USUAL) - RESERVED) / 2)));
  } catch {
    return USUAL;
  }
}
