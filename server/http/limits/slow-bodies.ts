import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { BlogError, rateLimited } from "../../errors.ts";
import { isForm } from "../multipart.ts";
import { originOf } from "../origin.ts";
import type { Limits } from "../../limits.ts";
import { networkOf } from "../../networks.ts";
import { bulkheadCounts, createCounter } from "../../queue.ts";

type IncomingBody = { request: FastifyRequest; reply: FastifyReply; since: number; bytes: number };

/** Refuses bodies that arrive too slowly, or beside many unfinished ones of a network. Discards their rest. Node times out headers. */
export function limitBodies(
  app: FastifyInstance,
  limits: Limits,
  networkFrom: (request: IncomingMessage) => string,
): void {
  const incoming = new Map<FastifyRequest, IncomingBody>();
  const unfinished = createUnfinished();
  app.addHook("onRequest", (request, reply, done) => {
    const { headers, socket } = request.raw;
    if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return done();
    const isLate = !isComplete(request.raw);
    if (isLate && unfinished.add(networkFrom(request.raw), request.raw) > limits.unfinishedBodies) {
      reply.header("connection", "close").raw.once("finish", () => socket.destroySoon());
      return done(rateLimited("too many unfinished requests", limits.body / 1_000));
    }
    incoming.set(request, { request, reply, since: performance.now(), bytes: socket.bytesRead });
    done();
  });
  // A response that has begun may still be delayed: a second one would throw.
  app.addHook("onSend", (request, _reply, _payload, done) => {
    incoming.delete(request);
    done();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    incoming.delete(request);
    discardRest(request.raw, limits);
    done();
  });
  const sweep = setInterval(() => {
    for (const { request } of incoming.values()) if (isComplete(request.raw)) incoming.delete(request);
    const bodies = [...incoming.values()];
    const uploads = bodies.filter(isUpload);
    const blocking =
      bulkheadCounts.uploads.waiting > 0 ? slowestOfLargestNetwork(uploads, limits) : undefined;
    for (const body of bodies)
      if (body === blocking || isTooSlow(body, limits)) {
        incoming.delete(body.request);
        // A response was sent already, or is being sent.
        if (body.reply.sent || body.reply.raw.headersSent) continue;
        void body.reply.send(new BlogError("REQUEST_TIMEOUT", "the body came too slowly"));
      }
  }, limits.sweep).unref();
  app.addHook("onClose", async () => clearInterval(sweep));
}

function createUnfinished() {
  const requests = createCounter();
  return {
    add(network: string, request: IncomingMessage): number {
      requests.add(network);
      let isCounted = true;
      const remove = () => {
        if (isCounted) requests.remove(network);
        isCounted = false;
      };
      request.once("end", remove).once("close", remove);
      return requests.countOf(network);
    },
  };
}

const isComplete = (message: IncomingMessage) => message.complete || message.readableEnded;

const isUpload = ({ request }: IncomingBody) => isForm(request.headers["content-type"]);

function isTooSlow(body: IncomingBody, limits: Limits): boolean {
  const elapsed = performance.now() - body.since;
  if (!isUpload(body)) return elapsed > limits.body;
  if (elapsed > limits.upload) return true;
  return elapsed > limits.uploadStart && rateOf(body) < limits.uploadRate;
}

/** Bytes per second. */
const rateOf = ({ request, since, bytes }: IncomingBody) =>
  (request.raw.socket.bytesRead - bytes) / (Math.max(1, performance.now() - since) / 1_000);

/** Picks from the network with the most uploads. The last upload of a network is exempt. */
function slowestOfLargestNetwork(uploads: IncomingBody[], limits: Limits): IncomingBody | undefined {
  const byNetwork = new Map<string, IncomingBody[]>();
  for (const upload of uploads) {
    const network = networkOf(originOf(upload.request.ip));
    byNetwork.set(network, [...(byNetwork.get(network) ?? []), upload]);
  }
  const [most = []] = [...byNetwork.values()].sort((a, b) => b.length - a.length);
  if (most.length < 2) return undefined;
  const established = most.filter(({ since }) => performance.now() - since > limits.uploadShare);
  return established.sort((a, b) => rateOf(a) - rateOf(b))[0];
}

/** If the connection closed at once, a client that is still sending would never read the refusal. */
function discardRest(message: IncomingMessage, limits: Limits): void {
  if (isComplete(message)) return;
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
