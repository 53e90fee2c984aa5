import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { FastifyBaseLogger } from "fastify";
import { serializeConnections } from "./limits/connection-queue.ts";
import { createScheduler } from "./limits/event-loop-scheduler.ts";
import { refusalBody, type Refusal } from "./limits/raw-response.ts";

export type Call = {
  request: IncomingMessage;
  response: ServerResponse;
  /** The part of the body that middleware has read. */
  receivedBody: Buffer | null;
  /** The body, if middleware has read all of it. */
  text: string | null;
  /** The client's network; empty before load shedding. */
  network: string;
  cacheKey: string | null;
  /** Responds 500 and logs: for errors in callbacks, which nothing else catches. */
  fail: (error: unknown) => void;
};

export type Handler = (call: Call) => void;

/** Responds to some requests, and passes the others to `next`. */
export type Middleware = (next: Handler) => Handler;

export function createMiddlewareChain(server: Server, log: Pick<FastifyBaseLogger, "error">) {
  const [application] = server.listeners("request") as [RequestListener];
  const callsWithBody = new WeakMap<IncomingMessage, Call>();
  const serve: Handler = (call) => {
    if (call.receivedBody) callsWithBody.set(call.request, call);
    application(call.request, call.response);
  };
  return {
    use(steps: Middleware[]): void {
      const first = steps.reduceRight((next, step) => catchErrors(step(next)), catchErrors(serve));
      const begin = (request: IncomingMessage, response: ServerResponse) => {
        const fail = (error: unknown) => respondWithFailure(response, error, log);
        first({ request, response, receivedBody: null, text: null, network: "", cacheKey: null, fail });
      };
      server.removeListener("request", application);
      const serialize = serializeConnections(begin, createScheduler(server).begin);
      server.on("request", serialize);
      server.on("checkExpectation", serialize);
    },
    /** The body of a request that middleware has begun to read: a stream cannot be read twice. */
    bodyOf(request: IncomingMessage): Readable | undefined {
      const call = callsWithBody.get(request);
      if (!call?.receivedBody) return undefined;
      return Readable.from(
        call.text === null ? continueBody(call.receivedBody, request) : [call.receivedBody],
      );
    },
  };
}

/** Fastify's error handling starts behind the middleware, where an exception would end the process. */
export const catchErrors =
  (serve: Handler): Handler =>
  (call) => {
    try {
      serve(call);
    } catch (error) {
      call.fail(error);
    }
  };

/** @returns starts a request that was queued, unless its client has disconnected meanwhile */
export const unlessDisconnected = (call: Call, serve: Handler) => () =>
  void (call.request.socket.destroyed ? call.response.destroy() : serve(call));

/** Responds without Fastify. */
export function respondEarly(
  response: ServerResponse,
  status: number,
  refusal: Refusal,
  headers: Record<string, string>,
): void {
  const common = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
  response.writeHead(status, { ...common, ...headers });
  response.end(refusalBody(refusal));
}

function respondWithFailure(
  response: ServerResponse,
  err: unknown,
  log: Pick<FastifyBaseLogger, "error">,
): void {
  const requestId = randomUUID();
  log.error({ err, reqId: requestId }, "a request failed before the application");
  if (response.headersSent) return void response.destroy();
  const code = "INTERNAL_SERVER_ERROR";
  const message = "something went wrong on our side, please try again";
  const headers = { "access-control-allow-origin": "*", "x-request-id": requestId };
  respondEarly(response, 500, { message, code, requestId }, headers);
}

async function* continueBody(receivedBody: Buffer, request: IncomingMessage): AsyncGenerator<Buffer> {
  yield receivedBody;
  yield* request;
}
