import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/**
 * Ends connections once nothing more is to come: those that serve behind their answers, and those over which
 * nothing ever came at once. Browsers open such ahead of need, Node does not count them as idle, and a server
 * that closes would wait for them for ever.
 */
export function closeWhenDraining(app: FastifyInstance, isDraining: () => boolean): void {
  const open = new Set<Socket>();
  app.server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  app.addHook("preClose", async () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (isDraining()) reply.header("connection", "close");
    done();
  });
}
