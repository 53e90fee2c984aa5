import type { FastifyInstance } from "fastify";
import { VERSION } from "../version.ts";

/** Milliseconds for which an answer of the database counts. */
const FRESH = 500;

/** /health: the process lives. /ready: it can do its work, that is, the database answers and nobody asked it to stop. */
export function serveHealth(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  let asked = { at: -FRESH, answer: Promise.resolve(false) };
  const ask = () => {
    const at = performance.now();
    if (at - asked.at >= FRESH) asked = { at, answer: isReady().catch(() => false) };
    return asked.answer;
  };
  app.get("/health", async () => ({ status: "ok", version: VERSION }));
  app.get("/ready", async (_request, reply) => {
    const ready = await ask();
    reply.code(ready ? 200 : 503);
    return { status: ready ? "ready" : "not ready" };
  });
}
