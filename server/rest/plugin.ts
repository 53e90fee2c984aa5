import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Ctx } from "../context.ts";
import { accountRoutes } from "./accounts.routes.ts";
import { acceptLenientBodies } from "./bodies.ts";
import { categoryRoutes } from "./categories.routes.ts";
import { commentRoutes } from "./comments.routes.ts";
import { sendError, sendUnknownPath } from "./errors.ts";
import { likeRoutes } from "./likes.routes.ts";
import { postRoutes } from "./posts.routes.ts";
import { profileRoutes } from "./profiles.routes.ts";
import { routesOf } from "./routes.ts";
import { sessionRoutes } from "./sessions.routes.ts";
import { userRoutes } from "./users.routes.ts";

/** What a visitor reads may be kept and asked after by its ETag; what anybody else reads is theirs alone. */
async function setCaching(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const isRead = request.method === "GET" && [200, 304].includes(reply.statusCode);
  const isPublic = isRead && !request.headers.authorization;
  reply.header("cache-control", isPublic ? "no-cache" : "no-store").header("vary", "Authorization");
}

type Options = { createCtx: (request: FastifyRequest) => Promise<Ctx> };

/** /api: the contract that existing callers are built against. */
export async function restRoutes(app: FastifyInstance, { createCtx }: Options): Promise<void> {
  await acceptLenientBodies(app);
  app.setErrorHandler(sendError);
  app.setNotFoundHandler(sendUnknownPath);
  app.addHook("onSend", setCaching);
  const route = routesOf(app, createCtx);
  accountRoutes(route);
  sessionRoutes(route);
  postRoutes(route);
  likeRoutes(route);
  commentRoutes(route);
  categoryRoutes(route);
  profileRoutes(route);
  userRoutes(route);
}
