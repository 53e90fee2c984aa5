import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { Readable } from "node:stream";

/** A request on its way to whoever answers it. */
export type Call = {
  request: IncomingMessage;
  response: ServerResponse;
  /** What of a document was read on the way. */
  begun: Buffer | null;
  /** The same, where that was all of it. */
  text: string | null;
};

export type Serve = (call: Call) => void;

/** Answers some calls, and lets the others through. */
export type Step = (next: Serve) => Serve;

/** The way of calls to the application that answers what comes to a server now. */
export function wayTo(server: Server) {
  const [application] = server.listeners("request") as [RequestListener];
  const begun = new WeakMap<IncomingMessage, Call>();
  const serve: Serve = (call) => {
    if (call.begun) begun.set(call.request, call);
    application(call.request, call.response);
  };
  return {
    /** From now on calls pass these steps, the first first. */
    lead(steps: Step[]): void {
      const first = steps.reduceRight((next, step) => step(next), serve);
      server.removeListener("request", application);
      server.on("request", (request, response) => first({ request, response, begun: null, text: null }));
    },
    /** The body of a call of which something was read on the way: that cannot be read twice. */
    bodyOf(request: IncomingMessage): Readable | undefined {
      const call = begun.get(request);
      if (!call?.begun) return undefined;
      return Readable.from(call.text === null ? continued(call.begun, request) : [call.begun]);
    },
  };
}

async function* continued(begun: Buffer, request: IncomingMessage): AsyncGenerator<Buffer> {
  yield begun;
  yield* request;
}
