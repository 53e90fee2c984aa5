import type { FastifyInstance, FastifyRequest } from "fastify";
import { BlogError } from "../errors.ts";
import type { Limits } from "../limits.ts";
import { countWaiting } from "../queue.ts";
import { RETRY_AFTER, sendBusyPage } from "./busy-page.ts";
import type { Middleware } from "./middleware.ts";
import { takeTurns } from "./event-loop-scheduler.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Whether it counts among those under way. */
    hasPlace: boolean;
  }
}

/** Whoever watches over the process must hear from it at all times. */
const isWatcher = (path: string | undefined) =>
  path === "/health" || path === "/ready" || path === "/metrics";

/**
 * Refuses early what would only wait: with so many under way everybody would be slow. A call counts until its
 * answer is ready, and not while its body comes, so neither slow callers nor slow readers take a place;
 * uploads and passwords have queues of their own.
 */
export function shedLoad(app: FastifyInstance, limits: Limits) {
  const turns = takeTurns(app.server);
  // A number: a set that calls pass through would keep them from being forgotten soon.
  let inFlight = 0;
  const countAll = () => turns.waiting() + inFlight - countWaiting();
  const places = countPlaces(app, countAll, limits);
  const isFull = () => countAll() >= places.count();
  const enter = () => {
    if (isFull()) return false;
    inFlight++;
    return true;
  };
  const leave = () => {
    inFlight--;
    places.noteAnswer();
  };
  app.decorateRequest("hasPlace", false);
  app.addHook("preHandler", (request, reply, done) => {
    if (isWatcher(request.routeOptions.url) || isUpload(request)) return done();
    request.hasPlace = enter();
    if (request.hasPlace) return done();
    if (!isPage(request)) return done(overload());
    sendBusyPage(reply);
  });
  const leaveOnce = (request: FastifyRequest) => {
    if (request.hasPlace) leave();
    request.hasPlace = false;
  };
  app.addHook("onSend", (request, _reply, _payload, done) => {
    leaveOnce(request);
    done();
  });
  // Whoever hung up before there was an answer.
  app.addHook("onRequestAbort", (request, done) => {
    leaveOnce(request);
    done();
  });
  paceRefusals(app, limits);
  const before: Middleware = (next) => (call) => {
    // Who has hung up meanwhile asks for nothing any more.
    const begin = () => void (call.request.socket.destroyed ? call.response.destroy() : next(call));
    if (isWatcher(call.request.url)) begin();
    else if (isFull()) turns.refuse(begin);
    else turns.begin(begin);
  };
  return {
    before,
    /** For heavy work. */
    turns,
    /** Takes a place for a call that the application does not see, if there is one; to be left once. */
    enter,
    leave,
  };
}

/**
 * A crowd that asks again in the same breath after each refusal would leave no time to those who are served:
 * what cannot be done just now is told to so many in a second, and the next ones wait to hear it.
 */
function paceRefusals(app: FastifyInstance, { refusals }: Limits): void {
  const line: (() => void)[] = [];
  let [left, since] = [0, performance.now()];
  const timer = setInterval(() => {
    const now = performance.now();
    const share = Math.round(((now - since) * refusals) / 1_000);
    since = now;
    const next = line.splice(0, share);
    left = share - next.length;
    for (const hear of next) hear();
  }, 20).unref();
  app.addHook("preClose", async () => {
    clearInterval(timer);
    left = Infinity;
    for (const hear of line) hear();
  });
  app.addHook("onSend", (request, reply, _payload, done) => {
    if (reply.statusCode !== 503 || isWatcher(request.routeOptions.url) || left-- > 0) done();
    else if (line.length < 2 * refusals) line.push(done);
    else {
      // More than can be told within two seconds.
      request.raw.socket.destroy();
      done();
    }
  });
}

/**
 * As many places as are answered in the time one may wait, by the rate of the last second: a page costs ten
 * times what a count does. Without a crowd the rate says nothing.
 */
function countPlaces(app: FastifyInstance, count: () => number, limits: Limits) {
  const { wait, inFlightAtFirst, inFlightAtLeast, inFlightAtMost } = limits;
  const period = 1_000;
  let [places, answers, fewest] = [inFlightAtFirst, 0, 0];
  const timer = setInterval(() => {
    const rated = Math.min(Math.max((answers * wait) / period, inFlightAtLeast), inFlightAtMost);
    places = fewest >= inFlightAtLeast ? rated : inFlightAtFirst;
    [answers, fewest] = [0, count()];
  }, period).unref();
  app.addHook("onClose", async () => clearInterval(timer));
  return {
    count: () => places,
    noteAnswer: () => {
      answers++;
      fewest = Math.min(fewest, count());
    },
  };
}

const overload = () =>
  new BlogError("UNAVAILABLE", "the server is busy, please try again in a few seconds", {
    retryAfter: RETRY_AFTER,
  });

/** A form that is received has a queue of its own; a GET that says it is one is a call like any other. */
const isUpload = ({ method, headers }: FastifyRequest) =>
  ["POST", "PUT"].includes(method) && headers["content-type"]?.startsWith("multipart/form-data");

const isPage = ({ is404, method, url }: FastifyRequest) =>
  is404 && (method === "GET" || method === "HEAD") && !/^\/(api|graphql)\b/.test(url);
