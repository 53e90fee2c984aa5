import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** Milliseconds for the first bytes of a request on a connection that a proxy has opened just now. */
const FIRST_BYTES = 1_000;

/** Browsers open connections ahead of need. Node does not count them as idle, so closing would wait for ever. */
export function closeWhenDraining(app: FastifyInstance, isDraining: () => boolean): void {
  const open = new Set<Socket>();
  app.server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  app.addHook("preClose", async () => {
    const closeUnused = () => {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    };
    setTimeout(closeUnused, FIRST_BYTES).unref();
  });
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (isDraining()) reply.header("connection", "close");
    done();
  });
}
