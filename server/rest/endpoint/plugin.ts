import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Contexts } from "../../domain/context.ts";
import { excludeFromPages } from "../../http/addresses.ts";
import { addVary } from "../../http/vary.ts";
import { accountRoutes } from "../accounts.routes.ts";
import { acceptLenientBodies } from "./bodies.ts";
import { categoryRoutes } from "../categories.routes.ts";
import { commentRoutes } from "../comments.routes.ts";
import { deletionRoutes } from "../deletions.routes.ts";
import { serveDocs } from "./docs.ts";
import { sendError, createNotFoundHandler } from "./errors.ts";
import { likeRoutes } from "../likes.routes.ts";
import { describeApi } from "./openapi.ts";
import { postRoutes } from "../posts.routes.ts";
import { profileRoutes } from "../profiles.routes.ts";
import { routesOf } from "./routes.ts";
import { sessionRoutes } from "../sessions.routes.ts";
import { userRoutes } from "../users.routes.ts";

/** Caches may store a visitor's reads, to be revalidated by ETag, and nothing else; no URL that contains a token. */
function setCaching(request: FastifyRequest, reply: FastifyReply, _payload: unknown, done: () => void): void {
  const isRead = ["GET", "HEAD"].includes(request.method) && [200, 304].includes(reply.statusCode);
  const hasToken = request.routeOptions.url?.includes(":token") === true;
  const isPublic = isRead && !hasToken && !request.headers.authorization;
  reply.header("cache-control", isPublic ? "no-cache" : "no-store");
  // With CORS_ORIGINS, Vary holds Origin already.
  reply.header("vary", addVary(reply.getHeader("vary"), "Authorization"));
  done();
}

type Options = {
  createContexts: (request: FastifyRequest) => Promise<Contexts>;
  publicUrl: string;
  sheet?: string;
  /** Inactivity after which a stream's connection is destroyed. */
  timeoutMs?: number;
};

/** /api: existing clients depend on this contract. */
export async function restRoutes(app: FastifyInstance, options: Options): Promise<void> {
  const { createContexts, publicUrl, sheet = "", timeoutMs = 30_000 } = options;
  await acceptLenientBodies(app, createContexts);
  app.setErrorHandler(sendError);
  for (const url of ["/", "/*"]) excludeFromPages(app, url);
  app.addHook("onSend", setCaching);
  const { route, operations } = routesOf(app, { createContexts, timeoutMs });
  accountRoutes(route);
  sessionRoutes(route);
  postRoutes(route);
  likeRoutes(route);
  commentRoutes(route);
  categoryRoutes(route);
  profileRoutes(route);
  userRoutes(route);
  deletionRoutes(route);
  app.setNotFoundHandler(createNotFoundHandler(operations));
  await serveDocs(app, { publicUrl, describe: () => describeApi(operations, publicUrl) }, sheet);
}
