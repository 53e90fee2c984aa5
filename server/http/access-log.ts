import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance } from "fastify";
import { runOperation, type Operation } from "../tracing/operation.ts";
import { tracing } from "../tracing/tracing.ts";
import { kindOf, routeLabel } from "./addresses.ts";
import type { Measure } from "./metrics.ts";

/** `route` is a pattern, since a URL may contain a token. */
export type LogEntry = {
  reqId: string;
  method: string;
  route: string;
  status: number;
  milliseconds: number;
  /** Served from the response cache. */
  cached?: true;
};

export type LogRequest = (line: LogEntry) => void;

export const openAccessLog =
  (log: { info: (line: object) => void }, measure: Measure): LogRequest =>
  (line) => {
    measure(line.method, line.route, line.status, line.milliseconds);
    log.info(line);
  };

/** Two decimals, since a cached response takes a fraction of a millisecond. */
export const roundToHundredths = (milliseconds: number) => Math.round(milliseconds * 100) / 100;

declare module "fastify" {
  interface FastifyRequest {
    operation: Operation;
  }
}

export function runAsOperations(app: FastifyInstance): void {
  app.decorateRequest("operation");
  app.addHook("onRequest", (request, _reply, done) => {
    const { method, routeOptions, id, headers } = request;
    request.operation = beginRequest({ method, route: routeLabel(routeOptions.url), requestId: id }, headers);
    runOperation(request.operation, done);
  });
  // Events of the body belong to the connection and not to the operation.
  app.addHook("preValidation", ({ operation }, _reply, done) => runOperation(operation, done));
  app.addHook("onResponse", ({ operation }, { statusCode }, done) => {
    endRequest(operation, statusCode);
    done();
  });
}

type RequestOfRoute = { method: string; route: string; requestId: string };

export function beginRequest(
  { method, route, requestId }: RequestOfRoute,
  { traceparent }: IncomingHttpHeaders,
): Operation {
  const name = `${method} ${route}`;
  if (!tracing.start || kindOf(route) === "monitoring") return { name, requestId };
  const attributes = { "http.request.method": method, "http.route": route, "blog.request_id": requestId };
  const parent = typeof traceparent === "string" ? traceparent : undefined;
  return { name, requestId, span: tracing.start({ name, kind: "server", attributes, parent }) };
}

export const endRequest = ({ span }: Operation, status: number): void =>
  span?.end({ attributes: { "http.response.status_code": status }, isFailed: status >= 500 });
