import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { FastifyBaseLogger } from "fastify";
import { serializeConnections } from "./connection-queue.ts";

/** A request on its way to whoever answers it. */
export type Call = {
  request: IncomingMessage;
  response: ServerResponse;
  /** What of a document was read on the way. */
  begun: Buffer | null;
  /** The same, where that was all of it. */
  text: string | null;
  /** Answers 500 and logs: for errors in callbacks, which nobody else catches. */
  fail: (error: unknown) => void;
};

export type Handler = (call: Call) => void;

/** Answers some calls, and lets the others through. */
export type Middleware = (next: Handler) => Handler;

/** The way of calls to the application that answers what comes to a server now. */
export function createMiddlewareChain(server: Server, log: Pick<FastifyBaseLogger, "error">) {
  const [application] = server.listeners("request") as [RequestListener];
  const begun = new WeakMap<IncomingMessage, Call>();
  const serve: Handler = (call) => {
    if (call.begun) begun.set(call.request, call);
    application(call.request, call.response);
  };
  return {
    /** From now on calls pass these steps, the first first. */
    lead(steps: Middleware[]): void {
      const first = steps.reduceRight((next, step) => contained(step(next)), contained(serve));
      const begin = (request: IncomingMessage, response: ServerResponse) => {
        const fail = (error: unknown) => answerFailure(response, error, log);
        first({ request, response, begun: null, text: null, fail });
      };
      server.removeListener("request", application);
      server.on("request", serializeConnections(begin));
    },
    /** The body of a call of which something was read on the way: that cannot be read twice. */
    bodyOf(request: IncomingMessage): Readable | undefined {
      const call = begun.get(request);
      if (!call?.begun) return undefined;
      return Readable.from(call.text === null ? continued(call.begun, request) : [call.begun]);
    },
  };
}

/** Fastify's error handling begins behind these steps: an exception in one of them must not end the process. */
const contained =
  (serve: Handler): Handler =>
  (call) => {
    try {
      serve(call);
    } catch (error) {
      call.fail(error);
    }
  };

/** Answers before the application, in the one shape that clients of both APIs can read. */
export function answerEarly(
  response: ServerResponse,
  status: number,
  { message, ...extensions }: { message: string; code: string; requestId?: string },
  headers: Record<string, string>,
): void {
  const common = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
  response.writeHead(status, { ...common, ...headers });
  response.end(JSON.stringify({ message, ...extensions, errors: [{ message, extensions }] }));
}

function answerFailure(response: ServerResponse, err: unknown, log: Pick<FastifyBaseLogger, "error">): void {
  const requestId = randomUUID();
  log.error({ err, reqId: requestId }, "a request failed before the application");
  if (response.headersSent) return void response.destroy();
  const code = "INTERNAL_SERVER_ERROR";
  const message = "something went wrong on our side, please try again";
  const headers = { "access-control-allow-origin": "*", "x-request-id": requestId };
  answerEarly(response, 500, { message, code, requestId }, headers);
}

async function* continued(begun: Buffer, request: IncomingMessage): AsyncGenerator<Buffer> {
  yield begun;
  yield* request;
}
