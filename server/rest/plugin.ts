import type { FastifyInstance, FastifyRequest } from "fastify";
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

type Options = { createCtx: (request: FastifyRequest) => Promise<Ctx> };

/** /api: the contract that existing callers are built against. */
export async function restRoutes(app: FastifyInstance, { createCtx }: Options): Promise<void> {
  await acceptLenientBodies(app);
  app.setErrorHandler(sendError);
  app.setNotFoundHandler(sendUnknownPath);
  app.addHook("onSend", async (_request, reply) => {
    if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
  });
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
