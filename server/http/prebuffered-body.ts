import type { IncomingMessage } from "node:http";
import type { Call, Handler, Middleware } from "./middleware.ts";

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

type Arrival = { request: IncomingMessage; until: number; isOver: boolean; giveUp: () => void };

/**
 * Waits for bodies. Nearly all of them have come before the next turn of the loop, and are never noted: a set
 * that they passed through would keep them from being forgotten soon.
 */
function openArrivals() {
  let fresh: Arrival[] = [];
  const late = new Set<Arrival>();
  let timer: NodeJS.Timeout | undefined;
  const sort = () => {
    for (const arrival of fresh) if (!arrival.isOver) late.add(arrival);
    fresh = [];
    if (late.size > 0) timer ??= setTimeout(sweep, PROMPT);
  };
  const sweep = () => {
    const now = performance.now();
    for (const arrival of late) {
      if (arrival.until <= now && !arrival.isOver && !arrival.request.destroyed) arrival.giveUp();
      if (arrival.isOver || arrival.request.destroyed) late.delete(arrival);
    }
    timer = late.size > 0 ? setTimeout(sweep, PROMPT) : undefined;
  };
  return (request: IncomingMessage, giveUp: () => void): Arrival => {
    const arrival = { request, until: performance.now() + PROMPT, isOver: false, giveUp };
    if (fresh.push(arrival) === 1) setImmediate(sort);
    return arrival;
  };
}

/** Reads the bodies of documents before anything else is done: those known already need no more than that. */
export function readEarly(): Middleware {
  const awaitBody = openArrivals();

  function read(call: Call, next: Handler): void {
    const { request } = call;
    const chunks: Buffer[] = [];
    const collect = (chunk: Buffer) => void chunks.push(chunk);
    const finish = () => {
      arrival.isOver = true;
      call.begun = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    };
    const end = () => {
      finish();
      call.text = call.begun?.toString() ?? null;
      next(call);
    };
    const arrival = awaitBody(request, () => {
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
