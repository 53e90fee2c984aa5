import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { BlogError } from "../errors.ts";
import type { Limits } from "../limits.ts";

type Arrival = { request: FastifyRequest; reply: FastifyReply; since: number; bytes: number };

/**
 * Bodies that come too slowly are refused, and what still comes of a refused one is thrown away for a moment.
 * Heads that come too slowly are Node's to cut.
 */
export function limitBodies(app: FastifyInstance, limits: Limits): void {
  const arriving = new Map<FastifyRequest, Arrival>();
  app.addHook("onRequest", (request, reply, done) => {
    const { headers, socket } = request.raw;
    if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined)
      arriving.set(request, { request, reply, since: Date.now(), bytes: socket.bytesRead });
    done();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    arriving.delete(request);
    discardRest(request.raw, limits);
    done();
  });
  const sweep = setInterval(() => {
    for (const arrival of arriving.values()) {
      if (hasArrived(arrival.request.raw)) arriving.delete(arrival.request);
      else if (isTooSlow(arrival, limits)) {
        arriving.delete(arrival.request);
        // It has been answered already.
        if (arrival.reply.sent) continue;
        void arrival.reply.send(new BlogError("REQUEST_TIMEOUT", "the body came too slowly"));
      }
    }
  }, limits.sweep).unref();
  app.addHook("onClose", async () => clearInterval(sweep));
}

const hasArrived = (message: IncomingMessage) => message.complete || message.readableEnded;

function isTooSlow({ request, since, bytes }: Arrival, limits: Limits): boolean {
  const elapsed = Date.now() - since;
  if (!request.headers["content-type"]?.startsWith("multipart/form-data")) return elapsed > limits.body;
  if (elapsed > limits.upload) return true;
  const rate = (request.raw.socket.bytesRead - bytes) / (elapsed / 1_000);
  return elapsed > limits.uploadStart && rate < limits.uploadRate;
}

/** Cut at once, a caller that is still sending would never read why it was refused. */
function discardRest(message: IncomingMessage, limits: Limits): void {
  if (hasArrived(message)) return;
  let bytes = 0;
  message.unpipe();
  message.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > limits.discardBytes) message.destroy();
  });
  message.resume();
  const timer = setTimeout(() => message.destroy(), limits.discard).unref();
  message.once("close", () => clearTimeout(timer));
}
