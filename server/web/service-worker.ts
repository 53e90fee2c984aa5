import type { FastifyInstance } from "fastify";
import { WORKER, type Assets } from "./assets.ts";

/** Replaces an installed worker, deletes its stored pages, and unregisters itself. */
const REMOVAL = `self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(remove()));
async function remove() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("blog-")).map((name) => caches.delete(name)));
  await self.registration.unregister();
}
`;

/** Browsers fetch it again when they open a page, so switching it off reaches them. */
export function serveServiceWorker(app: FastifyInstance, { worker }: Assets): void {
  const body = Buffer.from(worker ?? REMOVAL);
  app.get(`/${WORKER}`, async (_request, reply) =>
    reply.header("cache-control", "no-cache").type("text/javascript; charset=utf-8").send(body),
  );
}
