import type { IncomingMessage } from "node:http";
import { GRAPHQL } from "./addresses.ts";
import type { Call, Handler, Middleware } from "./middleware.ts";

const MAX_BYTES = 20 * 1024;

/** Milliseconds. Documents arrive with their headers; slower bodies are left to Fastify and its limits. */
const TIMEOUT = 100;

function isDocument({ method, url, headers }: IncomingMessage): boolean {
  if (method !== "POST" || url !== GRAPHQL) return false;
  const length = Number(headers["content-length"] ?? Infinity);
  const isJson = headers["content-type"]?.startsWith("application/json") ?? false;
  return isJson && length <= MAX_BYTES;
}

type PendingBody = { request: IncomingMessage; until: number; isOver: boolean; giveUp: () => void };

/** Nearly all bodies arrive within one event-loop iteration and skip the set, which would delay garbage collection. */
function createBodyTimeouts() {
  let fresh: PendingBody[] = [];
  const late = new Set<PendingBody>();
  let timer: NodeJS.Timeout | undefined;
  const sort = () => {
    for (const pending of fresh) if (!pending.isOver) late.add(pending);
    fresh = [];
    if (late.size > 0) timer ??= setTimeout(sweep, TIMEOUT);
  };
  const sweep = () => {
    const now = performance.now();
    for (const pending of late) {
      if (pending.until <= now && !pending.isOver && !pending.request.destroyed) pending.giveUp();
      if (pending.isOver || pending.request.destroyed) late.delete(pending);
    }
    timer = late.size > 0 ? setTimeout(sweep, TIMEOUT) : undefined;
  };
  return (request: IncomingMessage, giveUp: () => void): PendingBody => {
    const pending = { request, until: performance.now() + TIMEOUT, isOver: false, giveUp };
    if (fresh.push(pending) === 1) setImmediate(sort);
    return pending;
  };
}

/** Reads the bodies of GraphQL requests first: cached responses and compiled operations need nothing else. */
export function prebufferBodies(): Middleware {
  const startTimeout = createBodyTimeouts();

  function read(call: Call, next: Handler): void {
    const { request } = call;
    const chunks: Buffer[] = [];
    const collect = (chunk: Buffer) => void chunks.push(chunk);
    const finish = () => {
      pending.isOver = true;
      call.receivedBody = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    };
    const end = () => {
      finish();
      call.text = call.receivedBody?.toString() ?? null;
      next(call);
    };
    const pending = startTimeout(request, () => {
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
