import { randomUUID } from "node:crypto";
import { join } from "node:path";
import etag from "@fastify/etag";
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from "fastify";
import { execute, type DocumentNode, type GraphQLSchema } from "graphql";
import type { ResponseCache, DependencyTracker } from "./cache/cached-response.ts";
import type { Ctx, Services } from "./domain/context.ts";
import { contextsFrom } from "./request-context.ts";
import type { TrustRule } from "./env.ts";
import { findCompiledOperation } from "./graphql/compiled/find-operation.ts";
import { createGraphQLContext } from "./graphql/context.ts";
import { describeErrors } from "./graphql/endpoint/errors.ts";
import { readPersistedDocuments } from "./graphql/endpoint/persisted.ts";
import { openPlans, type Plans } from "./graphql/compiled/plans.ts";
import { graphqlRoutes, VARY } from "./graphql/endpoint/plugin.ts";
import { buildBlogSchema } from "./graphql/schema.ts";
import { checkHosts } from "./http/host-check.ts";
import { warnOfUntrustedProxy } from "./http/untrusted-proxy.ts";
import { BODY_BYTES, LIMITS, type Limits } from "./limits.ts";
import { sendError } from "./rest/endpoint/errors.ts";
import { restRoutes } from "./rest/endpoint/plugin.ts";
import { readAssets } from "./web/assets.ts";
import { createMiddlewareChain } from "./http/middleware.ts";
import { compressAnswers } from "./http/compression.ts";
import { closeWhenDraining } from "./http/draining.ts";
import { readEarly } from "./http/prebuffered-body.ts";
import { serveFiles } from "./web/files.ts";
import { openResponseCacheMiddleware } from "./cache/middleware.ts";
import { limitConnections, refuseManyHeaders } from "./http/connection-limit.ts";
import { logPolicyReports } from "./http/csp-reports.ts";
import { serveHealth } from "./http/health.ts";
import { serveCompiledOperations } from "./graphql/compiled/middleware.ts";
import { openMetrics, serveMetrics, type Gauge } from "./http/metrics.ts";
import { hundredths, openAccessLog, type LogRequest } from "./http/access-log.ts";
import { loadClient, servePages, type ExecuteAsVisitor } from "./web/pages.ts";
import { secureHeaders } from "./http/security-headers.ts";
import { shedLoad } from "./http/load-shedding.ts";
import { serveSecurityContact } from "./http/security-contact.ts";
import { limitBodies } from "./http/slow-bodies.ts";
import { limitUnread } from "./http/unread-responses.ts";

export type AppOptions = {
  services: Services;
  /** Null where finished answers are not kept. */
  answers: ResponseCache | null;
  isReady: () => Promise<boolean>;
  /** What the parts tell of themselves in /metrics. */
  gauges?: readonly Gauge[];
  /** Whom to tell of a weakness: a mailto: or https: address. */
  securityContact?: string | undefined;
  /** Null: /metrics is for this machine alone. */
  metricsToken: string | null;
  log: FastifyBaseLogger;
  publicUrl: string;
  siteTitle: string;
  corsOrigins: string[] | null;
  trustProxy: TrustRule;
  /** From then on connections are closed behind their answers. */
  isDraining: () => boolean;
  /** Of GraphQL, only the documents of our own client are run. */
  persistedOnly: boolean;
  /** Documents that have been answered before are run without Apollo, as compiled code. */
  compiledQueries?: boolean;
  /** Where the builds lie. */
  dist: string;
  mediaFolder: string;
  /** Shorter ones for tests. */
  limits?: Limits;
  /** Watched ones for tests. */
  plans?: Plans;
};

/** Composition root: the only place that knows all three languages. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { publicUrl, corsOrigins, siteTitle, dist, limits = LIMITS } = options;
  const metrics = openMetrics(options.gauges ?? [], options.answers);
  const note = openAccessLog(options.log, metrics.measure);
  const front = openResponseCacheMiddleware({ ...options, note });
  const app = openFastify(options, limits);
  const way = createMiddlewareChain(app.server, app.log);
  const schema = buildBlogSchema();
  const client = await loadClient(dist);
  const assets = readAssets(join(dist, "client"));
  const contexts = contextsFrom({ ...options, readingOf: front.readingOf });
  const { createCtx } = contexts;

  app.setErrorHandler(sendError);
  app.addHook("preParsing", (request, _reply, payload, done) =>
    done(null, way.bodyOf(request.raw) ?? payload),
  );
  noteRequests(app, note);
  guardConnections(app, options, limits);
  const headers = await secureHeaders(app, {
    ...{ publicUrl, corsOrigins },
    ...{ script: client.bootScript, sheet: assets.sheet },
  });
  await app.register(etag);
  compressAnswers(app);
  // Behind it: a call has its place until its answer is compressed.
  const shedding = shedLoad(app, limits);
  logPolicyReports(app);
  serveSecurityContact(app, options);
  serveHealth(app, options.isReady);
  serveMetrics(app, metrics.print, options);
  const { persistedOnly, compiledQueries = true, plans = openPlans(schema, compiledQueries) } = options;
  const documents = readPersistedDocuments(dist);
  const explorer = join(dist, "explorer");
  await app.register(graphqlRoutes, { schema, documents, explorer, plans, persistedOnly, createCtx });
  await app.register(restRoutes, { prefix: "/api", createCtx, publicUrl });
  await serveFiles(app, dist, options.mediaFolder);
  const execute = executeAsVisitor(schema, app.log);
  const executeFor = ({ raw }: FastifyRequest) =>
    execute(contexts.visitorCtx(raw, "page"), front.readingOf(raw));
  const { originOf } = contexts;
  servePages(app, { client, assets, siteTitle, executeFor, originOf, turns: shedding.turns, limits });

  const find = findCompiledOperation({ plans, documents, log: app.log });
  const known = serveCompiledOperations({
    ...{ ...options, ...shedding, note },
    headers: { ...headers, "cache-control": "no-store", vary: VARY },
    find(request, body) {
      const answer = find({ headers: request.headers, body });
      if (!answer) return null;
      return (requestId) => contexts.tryWith(request, "/graphql", requestId, (ctx) => answer(ctx, requestId));
    },
  });
  // Where only some origins may call, headers depend on who does.
  way.lead([refuseManyHeaders, readEarly(), front.before, shedding.before, ...(corsOrigins ? [] : [known])]);
  return app;
}

/** What is refused or cut whoever asks for what. */
function guardConnections(app: FastifyInstance, options: AppOptions, limits: Limits): void {
  checkHosts(app);
  warnOfUntrustedProxy(app, options.trustProxy);
  limitBodies(app, limits);
  limitUnread(app, limits);
  limitConnections(app);
  closeWhenDraining(app, options.isDraining);
}

function openFastify({ log, trustProxy, corsOrigins }: AppOptions, limits: Limits): FastifyInstance {
  return fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy,
    bodyLimit: BODY_BYTES,
    http: { headersTimeout: limits.head, connectionsCheckingInterval: limits.sweep },
    requestTimeout: limits.upload,
    routerOptions: { maxParamLength: 2_000 },
    forceCloseConnections: "idle",
    // An address that cannot even be decoded.
    frameworkErrors: (error, request, reply) => {
      // No hook runs for it, so neither do those that set headers.
      reply.header("x-content-type-options", "nosniff").header("cache-control", "no-store");
      if (!corsOrigins) reply.header("access-control-allow-origin", "*");
      sendError(error, request, reply);
    },
  });
}

/** Pages ask the API in process: no HTTP, no parsing, no viewer. */
const executeAsVisitor =
  (schema: GraphQLSchema, log: FastifyBaseLogger) =>
  (ctx: Ctx, reading: DependencyTracker | undefined): ExecuteAsVisitor =>
  async ({ query, variables, operationName }) => {
    const contextValue = createGraphQLContext(ctx);
    const document = query as DocumentNode;
    const { data, errors } = await execute({
      schema,
      document,
      contextValue,
      variableValues: variables,
      operationName,
    });
    // A page with a gap in it is for whoever asked just now.
    if (reading && errors) reading.isTraceable = false;
    const formatted = errors && describeErrors(errors, log);
    return { data, ...(formatted && { errors: formatted }) };
  };

function noteRequests(app: FastifyInstance, note: LogRequest): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { id: reqId, method, routeOptions } = request;
    const route = routeOptions.url ?? "page";
    const milliseconds = hundredths(reply.elapsedTime);
    note({ reqId, method, route, status: reply.statusCode, milliseconds });
    done();
  });
}
