import { monitorEventLoopDelay } from "node:perf_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { BlogError } from "../errors.ts";
import type { Limits } from "../limits.ts";

const RETRY_AFTER = 5;

/** Whoever watches over the process must hear from it at all times. */
const always = new Set(["/health", "/ready"]);

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Please come back in a moment</title>
<h1>Please come back in a moment</h1>
<p>More people are reading here just now than we can serve. Load this page again in a few seconds.</p>
</html>
`;

/**
 * Refuses early what would only wait: with so many in flight everybody would be slow. A request counts from
 * when its body is there until its answer is ready, so neither slow callers nor slow readers take a place;
 * uploads have a queue of their own.
 */
export function shedLoad(app: FastifyInstance, limits: Limits): void {
  const inFlight = new Set<FastifyRequest>();
  const lag = watchLag(app);
  const isOverloaded = () =>
    inFlight.size >= limits.inFlight || (inFlight.size >= limits.inFlightWhenLate && lag() > limits.lag);
  app.addHook("preHandler", async (request, reply) => {
    if (always.has(request.routeOptions.url ?? "") || isUpload(request)) return;
    if (!isOverloaded()) return void inFlight.add(request);
    if (!isPage(request)) throw overload();
    reply.code(503).header("retry-after", RETRY_AFTER).header("cache-control", "no-store");
    return reply.type("text/html; charset=utf-8").send(page);
  });
  app.addHook("onSend", async (request) => void inFlight.delete(request));
  // Whoever hung up before there was an answer.
  app.addHook("onRequestAbort", async (request) => void inFlight.delete(request));
}

const overload = () =>
  new BlogError("UNAVAILABLE", "the server is busy, please try again in a few seconds", {
    retryAfter: RETRY_AFTER,
  });

const isUpload = ({ headers }: FastifyRequest) => headers["content-type"]?.startsWith("multipart/form-data");

const isPage = ({ is404, method, url }: FastifyRequest) =>
  is404 && (method === "GET" || method === "HEAD") && !/^\/(api|graphql)\b/.test(url);

/** By how many milliseconds timers came late in the last second, on average. */
function watchLag(app: FastifyInstance): () => number {
  const resolution = 20;
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  let lag = 0;
  const timer = setInterval(() => {
    lag = histogram.mean / 1e6 - resolution;
    histogram.reset();
  }, 1_000).unref();
  app.addHook("onClose", async () => {
    clearInterval(timer);
    histogram.disable();
  });
  return () => lag;
}
