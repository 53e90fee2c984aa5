import type { FastifyInstance } from "fastify";

/** Route of the pages: every path without a route of its own. */
export const PAGES = "/*";

/** Route in the log and the metrics: a pattern, since a URL may contain a token. Unknown paths count as pages. */
export const routeLabel = (pattern: string | undefined) =>
  pattern === undefined || pattern === PAGES ? "page" : pattern;

/** Passes GET and HEAD of unknown paths to the not-found handler, which the route of the pages would bypass. */
export function excludeFromPages(app: FastifyInstance, url: string): void {
  app.route({ method: ["GET", "HEAD"], url, handler: (_request, reply) => void reply.callNotFound() });
}
