import type { FastifyInstance, FastifyRequest } from "fastify";
import { BlogError } from "../errors.ts";
import type { Limits } from "../limits.ts";
import { countWaiting } from "../queue.ts";

const RETRY_AFTER = 5;

/** Whoever watches over the process must hear from it at all times. */
const always = new Set(["/health", "/ready", "/metrics"]);

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
 * Refuses early what would only wait: with so many under way everybody would be slow. A call counts from
 * when its body is there until its answer is ready, so neither slow callers nor slow readers take a place;
 * uploads and passwords have queues of their own.
 */
export function shedLoad(app: FastifyInstance, limits: Limits): void {
  const inFlight = new Set<FastifyRequest>();
  const places = countPlaces(app, inFlight, limits);
  app.addHook("preHandler", (request, reply, done) => {
    if (always.has(request.routeOptions.url ?? "") || isUpload(request)) return done();
    if (inFlight.size - countWaiting() < places.count()) {
      inFlight.add(request);
      return done();
    }
    if (!isPage(request)) return done(overload());
    reply.code(503).header("retry-after", RETRY_AFTER).header("cache-control", "no-store");
    reply.type("text/html; charset=utf-8").send(page);
  });
  const leave = (request: FastifyRequest) => {
    if (inFlight.delete(request)) places.noteAnswer();
  };
  app.addHook("onSend", (request, _reply, _payload, done) => {
    leave(request);
    done();
  });
  // Whoever hung up before there was an answer.
  app.addHook("onRequestAbort", (request, done) => {
    leave(request);
    done();
  });
}

/**
 * As many places as are answered in the time one may wait, by the rate of the last second: a page costs ten
 * times what a count does. Without a crowd the rate says nothing.
 */
function countPlaces(app: FastifyInstance, inFlight: Set<FastifyRequest>, limits: Limits) {
  const { wait, inFlightAtFirst, inFlightAtLeast, inFlightAtMost } = limits;
  const period = 1_000;
  let [places, answers, fewest] = [inFlightAtFirst, 0, 0];
  const timer = setInterval(() => {
    const rated = Math.min(Math.max((answers * wait) / period, inFlightAtLeast), inFlightAtMost);
    places = fewest >= inFlightAtLeast ? rated : inFlightAtFirst;
    [answers, fewest] = [0, inFlight.size];
  }, period).unref();
  app.addHook("onClose", async () => clearInterval(timer));
  return {
    count: () => places,
    noteAnswer: () => {
      answers++;
      fewest = Math.min(fewest, inFlight.size);
    },
  };
}

const overload = () =>
  new BlogError("UNAVAILABLE", "the server is busy, please try again in a few seconds", {
    retryAfter: RETRY_AFTER,
  });

const isUpload = ({ headers }: FastifyRequest) => headers["content-type"]?.startsWith("multipart/form-data");

const isPage = ({ is404, method, url }: FastifyRequest) =>
  is404 && (method === "GET" || method === "HEAD") && !/^\/(api|graphql)\b/.test(url);
