import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import type { Socket } from "node:net";
import { createCounter } from "../queue.ts";

/** Files that a process needs besides its callers' connections. */
const RESERVED = 200;
/** Where the system does not tell how many files may be open. */
const USUAL = 10_000;
/** A browser sends some twenty; a request with more has only the first ones read. */
const HEADERS = 100;

/**
 * Bounds connections below the number of files that may be open, so that a crowd of callers leaves room for the
 * database and the pictures, and one address to half of them, which may be a proxy.
 */
export function limitConnections({ server }: FastifyInstance, most = mostConnections()): void {
  server.maxConnections = most;
  server.maxHeadersCount = HEADERS;
  const ofAddresses = createCounter();
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    ofAddresses.add(address);
    socket.once("close", () => ofAddresses.remove(address));
    if (ofAddresses.countOf(address) > most / 2) socket.destroy();
  });
}

function mostConnections(): number {
  try {
    const [, files] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return Math.max(100, Math.min(USUAL, Number(files ?? USUAL) - RESERVED));
  } catch {
    return USUAL;
  }
}
