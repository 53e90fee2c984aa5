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
  /** What the answer is being read from, where it may be kept. */
  readingOf: (request: IncomingMessage) => DependencyTracker | undefined;
};

/** Makes what the domain is told of each request: who calls, from where, and what to read by. */
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
    /** What limits are counted by. */
    originOf: ({ raw }: FastifyRequest) => originFrom(raw),
    createCtx: ({ raw, routeOptions, id }: FastifyRequest) =>
      prepared.get(raw) ?? make(raw, routeOptions.url, id),
    /** For who answers before the application, which is given the same context where nothing came of it. */
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

/** Name by name: of what is spread from an object, V8 makes a new shape each time, and keeps it for long. */
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

/** The address that a call came from, as the application finds it. */
function addressBy(trust: TrustRule): (request: IncomingMessage) => string {
  if (trust === false) return ({ socket }) => socket.remoteAddress ?? "";
  const isTrusted = typeof trust === "string" ? proxyAddr.compile(trust.split(/, */)) : trust;
  return (request) => proxyAddr(request, isTrusted);
}

/** `Bearer undefined`, which some clients send, is a token too: a bad one. */
function bearerToken({ headers }: IncomingMessage): string | null {
  const [, token] = /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? "") ?? [];
  return token ?? null;
}

/**
 * Where the answer may be kept: notes what it is read from. What is asked of the database itself leaves no
 * trace, so that such an answer is not kept.
 */
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
