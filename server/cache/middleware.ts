import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { CacheTag } from "../domain/ports.ts";
import type { ResponseCache, DependencyTracker } from "./cached-response.ts";
import { kindOf, type AddressKind } from "../http/addresses.ts";
import type { Call, Handler, Middleware } from "../http/middleware.ts";
import { compress } from "../http/compression.ts";
import type { LogRequest } from "../http/access-log.ts";
import { recordResponse, type RecordedResponse } from "./record-response.ts";
import { isSendable, sendCached } from "./send-cached.ts";

/** Neither files nor the state of this process. */
const cachedKinds: readonly AddressKind[] = ["page", "api", "graphql"];

const isPublic = ({ headers, url = "/" }: IncomingMessage) =>
  headers.authorization === undefined && headers.cookie === undefined && cachedKinds.includes(kindOf(url));

/** GraphQL answers HEAD with 405. */
const isHead = ({ method, url = "/" }: IncomingMessage) => method === "HEAD" && kindOf(url) !== "graphql";

/** Fastify handles a GET with a body. */
const hasBody = ({ headers }: IncomingMessage) =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;

/** V8 hashes of longer strings only their length: a map would compare all of one length. */
const MOST_CHARACTERS = 10_000;

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
  return key.length > MOST_CHARACTERS ? createHash("sha256").update(key).digest("base64url") : key;
};

type Share = (headers: Record<string, string>, tags: ReadonlySet<CacheTag>) => Record<string, string> | null;

type Options = {
  responseCache: ResponseCache | null;
  logRequest: LogRequest;
  /** If set, responses depend on the Origin header. */
  corsOrigins: string[] | null;
  isDraining: () => boolean;
  /** Returns further headers, with which a CDN may store a response, or null if it may not. */
  share: Share | null;
};

/** Serves cached responses to visitors before Fastify. Other requests pass, and their responses may be cached. */
export function openResponseCacheMiddleware({
  responseCache,
  logRequest,
  corsOrigins,
  isDraining,
  share,
}: Options) {
  const trackers = new WeakMap<IncomingMessage, DependencyTracker>();

  function passAndStore(cache: ResponseCache, key: string, call: Call, next: Handler): void {
    const { request, response } = call;
    const tracker = cache.begin();
    trackers.set(request, tracker);
    response.once("close", () => cache.end(tracker));
    const etagOfStream = () => cache.etagOfStream(key, tracker);
    const end = (sent: RecordedResponse | null) => {
      const cached = sent && { ...sent, heads: {}, route: tracker.route };
      if (cached && cache.store(key, cached, tracker)) void compress(cached, "br");
      cache.end(tracker);
    };
    const shareOf = (headers: Record<string, string>) =>
      share && cache.isStorable(tracker) ? share(headers, tracker.tags) : null;
    recordResponse(request, response, {
      etagOfStream,
      share: share && request.method === "GET" ? shareOf : null,
      end,
    });
    next(call);
  }

  function serve(cache: ResponseCache, body: string, call: Call, next: Handler): void {
    const { request, response } = call;
    const key = keyOf(request, body);
    const found = cache.find(key, (cached) => isSendable(cached, request));
    if (found) logRequest(sendCached(found, request, response));
    else if (request.method === "HEAD") next(call);
    else passAndStore(cache, key, call, next);
  }

  const before: Middleware = (next) => (call) => {
    const { request } = call;
    const dependsOnOrigin = corsOrigins !== null && request.headers.origin !== undefined;
    const isCacheable = responseCache && !isDraining() && !dependsOnOrigin && isPublic(request);
    const body = isCacheable ? bodyOf(call) : null;
    if (!responseCache || body === null) next(call);
    else serve(responseCache, body, call, next);
  };
  return {
    before,
    trackerOf: (request: IncomingMessage) => trackers.get(request),
  };
}

/** The body as a part of the key: empty for GET and HEAD, null if it is not buffered. */
function bodyOf({ request, text }: Call): string | null {
  if (request.method !== "GET" && !isHead(request)) return text;
  return hasBody(request) ? null : "";
}
