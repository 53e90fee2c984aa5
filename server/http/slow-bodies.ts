import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { BlogError } from "../errors.ts";
import { originOf } from "./origin.ts";
import type { Limits } from "../limits.ts";
import { bulkheadCounts } from "../queue.ts";

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
    for (const { request } of arriving.values()) if (hasArrived(request.raw)) arriving.delete(request);
    const arrivals = [...arriving.values()];
    const uploads = arrivals.filter(({ request }) => isForm(request));
    const inTheWay = bulkheadCounts.uploads.waiting > 0 ? slowestOfGreediest(uploads, limits) : undefined;
    for (const arrival of arrivals)
      if (arrival === inTheWay || isTooSlow(arrival, limits)) {
        arriving.delete(arrival.request);
        // It has been answered already, or a long answer is on its way.
        if (arrival.reply.sent || arrival.reply.raw.headersSent) continue;
        void arrival.reply.send(new BlogError("REQUEST_TIMEOUT", "the body came too slowly"));
      }
  }, limits.sweep).unref();
  app.addHook("onClose", async () => clearInterval(sweep));
}

const hasArrived = (message: IncomingMessage) => message.complete || message.readableEnded;

const isForm = ({ headers }: FastifyRequest) =>
  headers["content-type"]?.startsWith("multipart/form-data") === true;

function isTooSlow(arrival: Arrival, limits: Limits): boolean {
  const elapsed = Date.now() - arrival.since;
  if (!isForm(arrival.request)) return elapsed > limits.body;
  if (elapsed > limits.upload) return true;
  return elapsed > limits.uploadStart && rateOf(arrival) < limits.uploadRate;
}

/** Bytes a second. */
const rateOf = ({ request, since, bytes }: Arrival) =>
  (request.raw.socket.bytesRead - bytes) / (Math.max(1, Date.now() - since) / 1_000);

/** Of the origin with the most uploads, where it has several: one each is always left to come as slowly as it may. */
function slowestOfGreediest(uploads: Arrival[], limits: Limits): Arrival | undefined {
  const ofOrigins = new Map<string, Arrival[]>();
  for (const upload of uploads) {
    const origin = originOf(upload.request.ip);
    ofOrigins.set(origin, [...(ofOrigins.get(origin) ?? []), upload]);
  }
  const [most = []] = [...ofOrigins.values()].sort((a, b) => b.length - a.length);
  if (most.length < 2) return undefined;
  const settled = most.filter(({ since }) => Date.now() - since > limits.uploadShare);
  return settled.sort((a, b) => rateOf(a) - rateOf(b))[0];
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
