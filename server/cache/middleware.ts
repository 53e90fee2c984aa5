import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { CacheTag } from "../domain/ports.ts";
import type { CachedResponse, ResponseCache, Trackers } from "./cached-response.ts";
import { openCoalescing, type Build, type Coalescing, type BuildsToStart } from "./coalescing.ts";
import { kindOf, type AddressKind } from "../http/addresses.ts";
import {
  catchErrors,
  unlessDisconnected,
  type Call,
  type Handler,
  type Middleware,
} from "../http/middleware.ts";
import { lateRequests } from "../http/limits/busy-page.ts";
import { compress, type Encoding } from "../http/compression.ts";
import type { LogRequest } from "../http/access-log.ts";
import type { Scheduler } from "../http/limits/event-loop-scheduler.ts";
import { recordResponse } from "./record-response.ts";
import { isSendable, sendCached } from "./send-cached.ts";

/** Neither files nor the state of this process. */
const cachedKinds: readonly AddressKind[] = ["page", "api", "graphql"];

const isPublic = ({ headers, url = "/" }: IncomingMessage) =>
  headers.authorization === undefined && headers.cookie === undefined && cachedKinds.includes(kindOf(url));

/** GraphQL answers HEAD with 405. */
const isHead = ({ method, url = "/" }: IncomingMessage) => method === "HEAD" && kindOf(url) !== "graphql";

/** Fastify handles a GET with a body. */
const hasBody = ({ headers }: IncomingMessage) =>
  Number(headers["content-length"] ?? 0) !== 0 || headers["transfer-encoding"] !== undefined;

/** Responses from the cache in one event-loop iteration, beyond which networks take turns. */
const MAX_AT_ONCE = 20;

const DUE_TO_REQUEST = [429, 503];

/** V8 hashes of longer strings only their length: a map would compare all of one length. */
const MAX_CHARACTERS = 10_000;

/** Everything a response may depend on, or its hash. An empty header differs from a missing one; HEAD has the headers of GET. */
const keyOf = ({ method, url, headers }: IncomingMessage, body: string) => {
  const isCostRequested = Boolean(headers["x-graphql-cost"]);
  const key = [
    `${method === "HEAD" ? "GET" : method} ${url}`,
    headers.accept ?? "\0",
    headers["content-type"] ?? "\0",
    isCostRequested,
    body,
  ].join("\n");
  return key.length > MAX_CHARACTERS ? createHash("sha256").update(key).digest("base64url") : key;
};

type Share = (headers: Record<string, string>, tags: ReadonlySet<CacheTag>) => Record<string, string> | null;

type Options = {
  responseCache: ResponseCache | null;
  trackers: Trackers;
  scheduler: Scheduler;
  enqueue: (start: () => void, network: string) => void;
  networkFrom: (request: IncomingMessage) => string;
  logRequest: LogRequest;
  /** If set, responses depend on the Origin header. */
  corsOrigins: string[] | null;
  isDraining: () => boolean;
  /** Returns further headers, with which a CDN may store a response, or null if it may not. */
  share: Share | null;
};

/** `lookUp` sends cached responses to visitors before Fastify. `coalesce` runs once a request may begin: concurrent ones with the same key share a response. */
export function openResponseCacheMiddleware(options: Options): CacheMiddleware {
  const pass: Middleware = (next) => next;
  return options.responseCache
    ? middlewareOf(options.responseCache, options)
    : { lookUp: pass, coalesce: pass };
}

type CacheMiddleware = { lookUp: Middleware; coalesce: Middleware };

function middlewareOf(cache: ResponseCache, options: Options): CacheMiddleware {
  const { scheduler, enqueue, networkFrom, logRequest, isDraining } = options;
  const countAtOnce = countInIteration();
  const coalescing = openCoalescing(cache, {
    start(call, next, build) {
      const begin = catchErrors((own) =>
        sendFound(build.key, own) ? abandon(build) : passAndStore(build, next)(own),
      );
      enqueue(() => begin(call), call.network);
    },
    send(cached, call) {
      const canSend = isSendable(cached, call.request);
      // Compression drops the body of the cached response meanwhile.
      const form = { ...cached };
      if (canSend) takeTurn(call, call.network, () => send(form, call));
      return canSend;
    },
    giveUp: giveUpBy(enqueue),
  });

  const { passAndStore, abandon } = createStore(cache, coalescing, options);

  const send = (cached: CachedResponse, call: Call) => {
    if (isDraining()) call.response.shouldKeepAlive = false;
    logRequest(sendCached(cached, call, (encoding) => addForm(cache, call.cacheKey ?? "", cached, encoding)));
  };

  const takeTurn = (call: Call, network: string, run: () => void) =>
    scheduler.quick(unlessDisconnected(call, catchErrors(run)), network);

  function sendFound(key: string, call: Call): boolean {
    const { request } = call;
    const found = cache.find(
      key,
      (cached) => isSendable(cached, request),
      () => networkFrom(request),
    );
    if (found) send(found, call);
    return found !== undefined;
  }

  return {
    lookUp: (next) => (call) => {
      const key = findKey(call, options);
      if (key === null) return next(call);
      call.cacheKey = key;
      const find = () => void (sendFound(key, call) || next(call));
      if (countAtOnce() <= MAX_AT_ONCE) find();
      else takeTurn(call, networkFrom(call.request), find);
    },
    coalesce: (next) => (call) => {
      const { cacheKey: key, request, network } = call;
      if (key === null) return next(call);
      if (sendFound(key, call)) return;
      if (request.method === "HEAD") next(call);
      else if (!coalescing.join(key, call, next)) passAndStore(coalescing.begin(key, network), next)(call);
    },
  };
}

const giveUpBy =
  (enqueue: Options["enqueue"]) =>
  (call: Call, next: Handler): boolean => {
    const { request, network } = call;
    if (kindOf(request.url ?? "/") !== "page") return false;
    lateRequests.add(request);
    const begin = catchErrors(next);
    enqueue(() => begin(call), network);
    return true;
  };

function addForm(cache: ResponseCache, key: string, cached: CachedResponse, encoding: Encoding): void {
  void compress(cached, encoding).then(() => cache.resize(key, cached));
}

function createStore(
  cache: ResponseCache,
  { share, end }: Coalescing,
  { trackers, share: shareWithCdn }: Options,
) {
  const abandon = (build: Build) => {
    end(build, 1);
    cache.end(build.tracker);
  };
  /** Passes a request to `next`, and stores or shares its response if that is possible. */
  const passAndStore =
    (build: Build, next: Handler): Handler =>
    (call) => {
      const { request, response } = call;
      const { key, tracker } = build;
      if (response.destroyed) return abandon(build);
      response.once("close", () => abandon(build));
      trackers.set(request, tracker);
      const headersForCdn = (headers: Record<string, string>) =>
        shareWithCdn && cache.isStorable(tracker) ? shareWithCdn(headers, tracker.tags) : null;
      recordResponse(request, response, {
        share: shareWithCdn && request.method === "GET" ? headersForCdn : null,
        etagOfStream() {
          end(build, "all");
          return cache.etagOfStream(key, tracker);
        },
        end(sent) {
          const cached = sent && { ...sent, heads: {}, route: tracker.route };
          // The cache drops the body of a large response that has been compressed.
          const whole = cached && { ...cached, heads: {} };
          const isStored = cached !== null && cache.store(key, cached, tracker);
          if (isStored) addForm(cache, key, cached, "br");
          if (whole && cache.isShareable(tracker, 0)) share(build, whole, isStored);
          else {
            const hasNoTags = cached !== null && tracker.tags.size === 0;
            const isFromCache = hasNoTags && (cache.findStale(key) ?? cache.findCurrent(key)) !== null;
            const isNeverShared = !tracker.isTraceable || (hasNoTags && !isFromCache);
            const startsOneBuild = isFromCache || tracker.isPartial;
            end(build, startsOneBuild ? 1 : isNeverShared ? "all" : othersAfter(response));
          }
          cache.end(tracker);
        },
      });
      next(call);
    };
  return { passAndStore, abandon };
}

const othersAfter = ({ statusCode }: ServerResponse): BuildsToStart =>
  DUE_TO_REQUEST.includes(statusCode) ? 1 : 2;

/** @returns counts the calls in the current event-loop iteration */
function countInIteration(): () => number {
  let count = 0;
  const reset = () => void (count = 0);
  return () => {
    if (count++ === 0) setImmediate(reset);
    return count;
  };
}

/** @returns null for a request whose response is not cached */
function findKey(call: Call, { corsOrigins, isDraining }: Pick<Options, "corsOrigins" | "isDraining">) {
  const { request } = call;
  const dependsOnOrigin = corsOrigins !== null && request.headers.origin !== undefined;
  const body = isDraining() || dependsOnOrigin || !isPublic(request) ? null : bodyOf(call);
  return body === null ? null : keyOf(request, body);
}

/** The body as a part of the key: empty for GET and HEAD, null if it is not buffered. */
function bodyOf({ request, text }: Call): string | null {
  if (request.method !== "GET" && !isHead(request)) return text;
  return hasBody(request) ? null : "";
}
