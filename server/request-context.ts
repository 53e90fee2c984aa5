import type { IncomingMessage } from "node:http";
import proxyAddr from "@fastify/proxy-addr";
import type { FastifyRequest } from "fastify";
import type { DependencyTracker } from "./cache/cached-response.ts";
import type { Ctx, Services } from "./domain/context.ts";
import { trackQueries } from "./cache/track-queries.ts";
import { authenticate } from "./domain/accounts/sessions.ts";
import type { TrustRule } from "./env.ts";
import { isLocalRequest } from "./http/local-request.ts";
import { originOf } from "./http/origin.ts";

type Options = {
  services: Services;
  trustProxy: TrustRule;
  /** The dependency tracker of a request whose response may be cached. */
  readingOf: (request: IncomingMessage) => DependencyTracker | undefined;
};

/** Builds the domain context of each request. */
export function contextsFrom({ services, trustProxy, readingOf }: Options) {
  const addressOf = addressBy(trustProxy);
  const originFrom = (request: IncomingMessage) => originOf(addressOf(request));
  async function make(request: IncomingMessage, route: string | undefined, requestId: string): Promise<Ctx> {
    const { viewer, session } = await authenticate(services, bearerToken(request));
    const userAgent = request.headers["user-agent"] ?? null;
    const from = { origin: originFrom(request), isLocal: () => isLocalRequest(request), userAgent };
    const caller = { viewer, session, ...from, requestId };
    return trace(readingOf(request), route, contextOf(services, caller));
  }
  const prepared = new WeakMap<IncomingMessage, Promise<Ctx>>();
  return {
    /** The key of limits. */
    originOf: ({ raw }: FastifyRequest) => originFrom(raw),
    createCtx: ({ raw, routeOptions, id }: FastifyRequest) =>
      prepared.get(raw) ?? make(raw, routeOptions.url, id),
    /** For handlers before Fastify. If `answer` resolves to null or throws, `createCtx` reuses its context. */
    async tryWith<T>(
      request: IncomingMessage,
      route: string,
      requestId: string,
      answer: (ctx: Ctx) => Promise<T | null>,
    ): Promise<T | null> {
      const ctx = make(request, route, requestId);
      let made: T | null = null;
      try {
        made = await answer(await ctx);
      } finally {
        if (made === null) prepared.set(request, ctx);
      }
      return made;
    },
    visitorCtx: (request: IncomingMessage, route: string) =>
      trace(readingOf(request), route, contextOf(services, visitorFrom(originFrom(request)))),
  };
}

type Caller = Omit<Ctx, keyof Services>;

/** Lists every property: V8 creates a new hidden class for each spread object, and retains it. */
const contextOf = (
  services: Services,
  { viewer, session, origin, isLocal, requestId, userAgent }: Caller,
): Ctx => ({
  db: services.db,
  queries: services.queries,
  likes: services.likes,
  locks: services.locks,
  writes: services.writes,
  invalidate: services.invalidate,
  media: services.media,
  markdown: services.markdown,
  mail: services.mail,
  now: services.now,
  securityLog: services.securityLog,
  rateLimitsEnabled: services.rateLimitsEnabled,
  writeLimits: services.writeLimits,
  viewer,
  session,
  origin,
  isLocal,
  requestId,
  userAgent,
});

const visitorFrom = (origin: string): Caller => ({
  viewer: null,
  session: "none",
  origin,
  isLocal: () => false,
  requestId: "",
  userAgent: null,
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

/** Tracks dependencies of a cacheable response. Direct database access is untracked and prevents caching. */
function trace(reading: DependencyTracker | undefined, route: string | undefined, ctx: Ctx): Ctx {
  if (!reading) return ctx;
  const { db } = ctx;
  reading.route = route ?? "page";
  const exclude = () => void (reading.isTraceable = false);
  return Object.defineProperty(
    { ...ctx, queries: trackQueries(ctx.queries, (tag) => reading.tags.add(tag), exclude) },
    "db",
    {
      get: () => {
        exclude();
        return db;
      },
    },
  );
}
