import type { FastifyInstance } from "fastify";
import { VERSION } from "../version.ts";

/** Milliseconds for which a readiness check is reused. */
const MAX_AGE = 500;

/** /health: the process runs. /ready: it can serve requests, that is, the database responds and it is not draining. */
export function serveHealth(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  let lastCheck = { at: -MAX_AGE, result: Promise.resolve(false) };
  const check = () => {
    const at = performance.now();
    if (at - lastCheck.at >= MAX_AGE) lastCheck = { at, result: isReady().catch(() => false) };
    return lastCheck.result;
  };
  app.get("/health", async (_request, reply) => {
    reply.header("cache-control", "no-store");
    return { status: "ok", version: VERSION };
  });
  app.get("/ready", async (_request, reply) => {
    const ready = await check();
    reply.code(ready ? 200 : 503).header("cache-control", "no-store");
    return { status: ready ? "ready" : "not ready" };
  });
}
