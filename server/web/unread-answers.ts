import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Limits } from "../limits.ts";

/** What a connection was sent and has not taken: so many bytes, since that time in milliseconds. */
type Unread = { socket: Socket; bytes: number; taken: number; since: number };

/**
 * Bounds the memory of answers that their callers do not read. One that takes nothing for too long is cut, and
 * where all of them together hold too much, those that wait for the longest time are.
 */
export function limitUnread(app: FastifyInstance, limits: Limits): void {
  const sockets = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  let unread = new Map<Socket, Unread>();
  const sweep = setInterval(() => {
    const now = Date.now();
    const found = [...sockets]
      .filter((socket) => socket.writableLength > 0)
      .map((socket) => look(socket, now, unread.get(socket)));
    unread = new Map(found.map((each) => [each.socket, each]));
    let total = found.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { socket, bytes, since } of found.sort((a, b) => a.since - b.since)) {
      const patience = limits.unread + (bytes / limits.unreadRate) * 1_000;
      if (total <= limits.unreadBytes && now - since <= patience) continue;
      total -= bytes;
      socket.destroy();
    }
  }, limits.unreadSweep).unref();
  app.addHook("onClose", async () => clearInterval(sweep));
}

/** Anything that was taken since the last look starts the time anew. */
function look(socket: Socket, now: number, last: Unread | undefined): Unread {
  const bytes = socket.writableLength;
  const taken = socket.bytesWritten - bytes;
  return { socket, bytes, taken, since: last && last.taken === taken ? last.since : now };
}
