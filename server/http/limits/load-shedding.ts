import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { BusyError } from "../../errors.ts";
import type { Limits } from "../../limits.ts";
import { countWaiting, createCounter } from "../../queue.ts";
import { kindOf, PAGES } from "../addresses.ts";
import { RETRY_AFTER, sendBusyPage, sendCachedPage, type FindCachedPage } from "./busy-page.ts";
import type { Metric } from "../metrics.ts";
import { unlessDisconnected, type Middleware } from "../middleware.ts";
import { isForm } from "../multipart.ts";
import { createScheduler, type Scheduler } from "./event-loop-scheduler.ts";
import { openRefusalPacer, type RefusalPacer } from "./refusal-pacer.ts";

declare module "fastify" {
  interface FastifyRequest {
    releasePermit: (() => void) | null;
  }
  interface FastifyContextConfig {
    /** Whether the route reads forms with a file. */
    takesUpload?: boolean;
  }
}

/** Monitoring has to work under overload: it is not refused. */
const isMonitoring = (url: string | undefined) => kindOf(url ?? "") === "monitoring";

/** Part of the permits that each network gets while others hold all, and the factor by which that may exceed the total. */
const [RESERVED, MAX_FACTOR] = [1 / 8, 2];

type Contexts = { networkFrom: (request: IncomingMessage) => string; findCachedPage: FindCachedPage };

/**
 * Refuses requests early while too many are in flight. A request counts until its response is ready, and not while
 * its body arrives, so neither slow senders nor slow readers hold a permit. Uploads and password hashes have queues
 * of their own.
 * @param networkFrom the network of a request's client
 */
export function shedLoad(app: FastifyInstance, limits: Limits, { networkFrom, findCachedPage }: Contexts) {
  const scheduler = createScheduler(app.server);
  const { isFull, acquire, counts } = createPermits(app, scheduler, limits);
  let refused = 0;
  app.decorateRequest("releasePermit", null);
  app.addHook("preHandler", (request, reply, done) => {
    // A handler that calls `callNotFound` runs this hook a second time.
    if (request.releasePermit || isMonitoring(request.routeOptions.url) || isUpload(request)) return done();
    request.releasePermit = acquire(networkFrom(request.raw));
    if (request.releasePermit) return done();
    refused++;
    if (!isPage(request)) return done(new BusyError(RETRY_AFTER));
    const stale = findCachedPage(request, "stale");
    if (stale) sendCachedPage(reply, stale);
    else sendBusyPage(reply);
  });
  const releaseOnce = (request: FastifyRequest) => {
    request.releasePermit?.();
    request.releasePermit = null;
  };
  app.addHook("onSend", (request, _reply, _payload, done) => {
    releaseOnce(request);
    done();
  });
  app.addHook("onRequestAbort", (request, done) => {
    releaseOnce(request);
    done();
  });
  const pacer = openRefusalPacer(app, limits);
  paceRefusals(app, pacer, networkFrom);
  const enqueue = (start: () => void, network: string) =>
    isFull(network) ? scheduler.quick(start, network) : scheduler.begin(start, network);
  const before: Middleware = (next) => (call) => {
    const begin = unlessDisconnected(call, next);
    const network = networkFrom(call.request);
    if (isMonitoring(call.request.url)) return scheduler.monitor(begin, network);
    call.network = network;
    enqueue(begin, network);
  };
  return {
    before,
    scheduler,
    pacer,
    enqueue,
    /** Acquires a network's permit for a request that bypasses Fastify. Returns its release, or null if none is free. */
    acquire,
    metrics: permitMetrics(() => ({ ...counts(), refused })),
  };
}

/** The permits of running requests. A network that holds few of them gets more while others hold all. */
function createPermits(app: FastifyInstance, scheduler: Scheduler, limits: Limits) {
  const running = createCounter();
  let inFlight = 0;
  const countAll = () => scheduler.waiting() + inFlight - countWaiting();
  const permits = countPermits(app, countAll, limits);
  const isFull = (network: string) => {
    const [all, limit] = [countAll(), permits.count()];
    if (all < limit) return false;
    const own = scheduler.waitingOf(network) + running.countOf(network);
    return all >= MAX_FACTOR * limit || own >= RESERVED * limit;
  };
  return {
    isFull,
    acquire(network: string) {
      if (isFull(network)) return null;
      inFlight++;
      running.add(network);
      return () => {
        inFlight--;
        running.remove(network);
        permits.countResponse();
      };
    },
    counts: () => ({ inFlight, queued: scheduler.waiting(), limit: permits.count() }),
  };
}

type Counts = { inFlight: number; refused: number; queued: number; limit: number };

const permitMetrics = (count: () => Counts): Metric[] => [
  {
    name: "blog_http_requests_in_flight",
    help: "HTTP requests that hold a permit until their response is ready.",
    read: () => count().inFlight,
  },
  {
    name: "blog_http_requests_queued",
    help: "HTTP requests that wait for the event loop before they begin.",
    read: () => count().queued,
  },
  {
    name: "blog_http_requests_in_flight_limit",
    help: "Permits for HTTP requests, by the rate at which responses become ready.",
    read: () => count().limit,
  },
  {
    name: "blog_http_requests_refused_total",
    help: "HTTP requests that got 503 because no permit was free.",
    read: () => count().refused,
  },
];

/** A delayed refusal holds neither its permit nor the body of its request, of which thousands would fill the memory. */
function paceRefusals(app: FastifyInstance, pacer: RefusalPacer, networkFrom: Contexts["networkFrom"]): void {
  app.addHook("onSend", (request, reply, _payload, done) => {
    const { raw, routeOptions } = request;
    if (reply.statusCode !== 503 || isMonitoring(routeOptions.url)) return done();
    request.body = undefined;
    pacer.pace({
      network: networkFrom(raw),
      response: reply.raw,
      send: done,
      drop() {
        raw.socket.destroy();
        done();
      },
    });
  });
}

/** Grants as many permits as the last second's rate answers within `wait`, under light load the initial number. */
function countPermits(app: FastifyInstance, count: () => number, limits: Limits) {
  const { wait, inFlightAtFirst, inFlightAtLeast, inFlightAtMost } = limits;
  const period = 1_000;
  let [permits, responses, fewest] = [inFlightAtFirst, 0, 0];
  const timer = setInterval(() => {
    const rated = Math.min(Math.max((responses * wait) / period, inFlightAtLeast), inFlightAtMost);
    permits = fewest >= inFlightAtLeast ? rated : inFlightAtFirst;
    [responses, fewest] = [0, count()];
  }, period).unref();
  app.addHook("onClose", async () => clearInterval(timer));
  return {
    count: () => permits,
    countResponse: () => {
      responses++;
      fewest = Math.min(fewest, count());
    },
  };
}

/** Uploads have a queue of their own. For all other routes and a GET, the type of the body is only a claim. */
const isUpload = ({ method, headers, routeOptions }: FastifyRequest) =>
  routeOptions.config.takesUpload === true && method !== "GET" && isForm(headers["content-type"]);

const isPage = ({ routeOptions }: FastifyRequest) => routeOptions.url === PAGES;
