import type { IncomingMessage } from "node:http";
import type { Call, Serve, Step } from "./calls.ts";

const MOST = 20 * 1024;

/** Documents come with their head; whoever takes longer, in milliseconds, is left to the application and its limits. */
const PROMPT = 100;

/** A query as JSON, of a size that documents have. */
function isDocument({ method, url, headers }: IncomingMessage): boolean {
  if (method !== "POST" || url !== "/graphql") return false;
  const length = Number(headers["content-length"] ?? Infinity);
  const isJson = headers["content-type"]?.startsWith("application/json") ?? false;
  return isJson && length <= MOST;
}

type Arrival = { request: IncomingMessage; until: number; giveUp: () => void };

/** Waits for bodies; one timer for all of them. */
function openArrivals() {
  const arriving = new Set<Arrival>();
  let timer: NodeJS.Timeout | undefined;
  const sweep = () => {
    const now = performance.now();
    for (const arrival of arriving) {
      if (arrival.request.destroyed) arriving.delete(arrival);
      else if (arrival.until <= now) arrival.giveUp();
    }
    timer = arriving.size > 0 ? setTimeout(sweep, PROMPT) : undefined;
  };
  return {
    begin(request: IncomingMessage, giveUp: () => void): Arrival {
      const arrival = { request, until: performance.now() + PROMPT, giveUp };
      arriving.add(arrival);
      timer ??= setTimeout(sweep, PROMPT);
      return arrival;
    },
    end: (arrival: Arrival) => void arriving.delete(arrival),
  };
}

/** Reads the bodies of documents before anything else is done: those known already need no more than that. */
export function readEarly(): Step {
  const arrivals = openArrivals();

  function read(call: Call, next: Serve): void {
    const { request } = call;
    const chunks: Buffer[] = [];
    const collect = (chunk: Buffer) => void chunks.push(chunk);
    const finish = () => {
      arrivals.end(arrival);
      call.begun = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    };
    const end = () => {
      finish();
      call.text = call.begun?.toString() ?? null;
      next(call);
    };
    const arrival = arrivals.begin(request, () => {
      request.pause().off("data", collect).off("end", end);
      finish();
      next(call);
    });
    request.on("data", collect).on("end", end);
  }

  return (next) => (call) => {
    if (isDocument(call.request)) read(call, next);
    else next(call);
  };
}
