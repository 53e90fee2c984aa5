import type { FastifyInstance } from "fastify";
import { runOperation, type Operation } from "../operation.ts";
import { routeLabel } from "./addresses.ts";

declare module "fastify" {
  interface FastifyRequest {
    operation: Operation;
  }
}

/** Runs each request as an operation. */
export function runAsOperations(app: FastifyInstance): void {
  app.decorateRequest("operation");
  app.addHook("onRequest", (request, _reply, done) => {
    const { method, routeOptions, id: requestId } = request;
    request.operation = { name: `${method} ${routeLabel(routeOptions.url)}`, requestId };
    runOperation(request.operation, done);
  });
  // Events of the body belong to the connection and not to the operation.
  app.addHook("preValidation", ({ operation }, _reply, done) => runOperation(operation, done));
}
