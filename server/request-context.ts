import type { IncomingMessage } from "node:http";
import proxyAddr from "@fastify/proxy-addr";
import type { FastifyRequest } from "fastify";
import type { CachedResponse, DependencyTracker, ResponseCache } from "./cache/cached-response.ts";
import type { Contexts, Ctx, ReadCtx, RequestServices } from "./domain/context.ts";
import type { Db, Queries } from "./domain/ports.ts";
import { isSendable } from "./cache/send-cached.ts";
import { trackQueries } from "./cache/track-queries.ts";
import { authenticate } from "./domain/accounts/sessions.ts";
import type { TrustRule } from "./env.ts";
import { isLocalRequest } from "./http/local-request.ts";
import { routeLabel } from "./http/addresses.ts";
import { originOf } from "./http/origin.ts";
import { networkOf } from "./networks.ts";

type Options = {
  services: RequestServices;
  trustProxy: TrustRule;
  /** The dependency tracker of a request whose response may be cached. */
  trackerOf: (request: IncomingMessage) => DependencyTracker | undefined;
  responseCache?: Pick<ResponseCache, "findCurrent" | "findStale"> | null;
  /** Queries of reads that may use replicas. */
  openReads?: ((isAccount: boolean) => Queries) | null;
  nextStatement?: Parameters<RequestServices["dbOf"]>[1];
};

const createPageFallbacks = ({ trackerOf, responseCache }: Options) => ({
  findCachedPage({ raw }: FastifyRequest, form: "current" | "stale"): CachedResponse | null {
    const find = responseCache?.[form === "stale" ? "findStale" : "findCurrent"];
    const tracker = trackerOf(raw);
    const cached = (tracker && find?.(tracker.key)) ?? null;
    const found = cached && isSendable(cached, raw) ? cached : null;
    if (found) tracker?.tags.clear();
    return found;
  },
  /** Of a page without its data, which depends on nothing. */
  markPartial({ raw }: FastifyRequest): void {
    const tracker = trackerOf(raw);
    if (!tracker) return;
    tracker.tags.clear();
    tracker.isPartial = true;
  },
});

/** Builds the domain contexts of each request. */
export function contextsFrom(options: Options) {
  const { services, trustProxy, trackerOf, openReads, nextStatement } = options;
  const queriesFor = openReads ?? (() => services.queries);
  const addressOf = addressBy(trustProxy);
  const originFrom = (request: IncomingMessage) => originOf(addressOf(request));
  const track = (request: IncomingMessage, route = "page") => {
    const tracker = trackerOf(request);
    if (tracker) tracker.route = route;
    return tracker;
  };
  async function make(
    request: IncomingMessage,
    route: string | undefined,
    requestId: string,
  ): Promise<Contexts> {
    const { viewer, session } = await authenticate(services, bearerToken(request));
    const userAgent = request.headers["user-agent"] ?? null;
    const idempotencyKey = request.headers["idempotency-key"]?.toString() ?? null;
    const isLocal = () => isLocalRequest(request);
    const isCrossSite = request.headers["sec-fetch-site"] === "cross-site";
    const from = { origin: originFrom(request), isLocal, isCrossSite, userAgent, idempotencyKey };
    const caller = { viewer, session, ...from, requestId };
    return contextsOf({ services, queriesFor, nextStatement }, caller, track(request, route));
  }
  const prepared = new WeakMap<IncomingMessage, Promise<Contexts>>();
  return {
    /** The key of limits. */
    originOf: ({ raw }: FastifyRequest) => originFrom(raw),
    networkFrom: (request: IncomingMessage) => networkOf(originFrom(request)),
    ...createPageFallbacks(options),
    createContexts: ({ raw, routeOptions, id }: FastifyRequest) =>
      prepared.get(raw) ?? make(raw, routeOptions.url, id),
    /** For handlers before Fastify. If `run` resolves to null or throws, `createContexts` reuses its contexts. */
    async tryWith<T>(
      request: IncomingMessage,
      route: string,
      requestId: string,
      run: (contexts: Contexts) => Promise<T | null>,
    ): Promise<T | null> {
      const contexts = make(request, route, requestId);
      let made: T | null = null;
      try {
        made = await run(await contexts);
      } finally {
        if (made === null) prepared.set(request, contexts);
      }
      return made;
    },
    visitorContexts: ({ raw, routeOptions }: FastifyRequest) =>
      contextsOf(
        { services, queriesFor, nextStatement },
        visitorFrom(originFrom(raw)),
        track(raw, routeLabel(routeOptions.url)),
      ),
  };
}

type Caller = Omit<Ctx, keyof RequestServices | "quotas">;

type Sources = Pick<Options, "services" | "nextStatement"> & { queriesFor: (isAccount: boolean) => Queries };

/** @param tracker records the dependencies of a cacheable response */
const contextsOf = (
  { services, queriesFor, nextStatement }: Sources,
  caller: Caller,
  tracker: DependencyTracker | undefined,
): Contexts => ({
  viewer: caller.viewer,
  session: caller.session,
  origin: caller.origin,
  read: () => readCtxOf({ services, queries: queriesFor(caller.viewer !== null) }, caller, tracker),
  write() {
    if (tracker) tracker.isTraceable = false;
    return writeCtxOf(services, services.dbOf(caller.origin, nextStatement), caller);
  },
});

// Each lists every property: V8 creates a new hidden class for each spread object, and retains it.

function readCtxOf(
  { services, queries }: { services: RequestServices; queries: Queries },
  { viewer, session, origin, requestId }: Caller,
  tracker: DependencyTracker | undefined,
): ReadCtx {
  const { media, markdown, mail, siteUrl } = services;
  const tracked = tracker ? trackQueries(queries, tracker) : queries;
  return { queries: tracked, media, markdown, mail, siteUrl, viewer, session, origin, requestId };
}

const writeCtxOf = (
  services: RequestServices,
  db: Db,
  { viewer, session, origin, isLocal, isCrossSite, requestId, userAgent, idempotencyKey }: Caller,
): Ctx => ({
  db,
  unqueuedDb: services.unqueuedDb,
  queries: services.queries,
  likes: services.likes,
  locks: services.locks,
  writes: services.writes,
  invalidate: services.invalidate,
  media: services.media,
  markdown: services.markdown,
  mail: services.mail,
  siteUrl: services.siteUrl,
  requireDiskSpace: services.requireDiskSpace,
  now: services.now,
  securityLog: services.securityLog,
  rateLimitsEnabled: services.rateLimitsEnabled,
  writeLimits: services.writeLimits,
  viewer,
  session,
  origin,
  isLocal,
  isCrossSite,
  requestId,
  userAgent,
  idempotencyKey,
  quotas: new Map(),
});

const visitorFrom = (origin: string): Caller => ({
  viewer: null,
  session: "none",
  origin,
  isLocal: () => false,
  isCrossSite: false,
  requestId: "",
  userAgent: null,
  idempotencyKey: null,
});

/** The client's address, as Fastify determines it. */
function addressBy(trust: TrustRule): (request: IncomingMessage) => string {
  if (trust === false) return ({ socket }) => socket.remoteAddress ?? "";
  const isTrusted = typeof trust === "string" ? proxyAddr.compile(trust.split(/, */)) : trust;
  return (request) => proxyAddr(request, isTrusted);
}

/** `Bearer undefined`, which some clients send, counts as an invalid token. */
function bearerToken({ headers }: IncomingMessage): string | null {
  const [, token] = /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? "") ?? [];
  return token ?? null;
}
