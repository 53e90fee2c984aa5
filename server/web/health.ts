import type { FastifyInstance } from "fastify";

/** /health: the process lives. /ready: it can do its work, that is, the database answers and nobody asked it to stop. */
export function serveHealth(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  app.get("/health", async () => ({ status: "ok" }));
  app.get("/ready", async (_request, reply) => {
    const ready = await isReady().catch(() => false);
    reply.code(ready ? 200 : 503);
    return { status: ready ? "ready" : "not ready" };
  });
}
