import { randomUUID } from "node:crypto";
import { join } from "node:path";
import etag from "@fastify/etag";
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from "fastify";
import type { ResponseCache, Trackers } from "./cache/cached-response.ts";
import type { RequestServices } from "./domain/context.ts";
import { contextsFrom } from "./request-context.ts";
import { markPrivate } from "./cdn/private-responses.ts";
import { openSharing, type SharingOptions } from "./cdn/sharing.ts";
import type { OpenPicture, Queries } from "./domain/ports.ts";
import type { TrustRule } from "./env.ts";
import { findCompiledOperation } from "./graphql/compiled/find-operation.ts";
import { executorOfPages } from "./graphql/execute.ts";
import { openDocumentStore, type DocumentStore } from "./graphql/endpoint/document-store.ts";
import { readPersistedDocuments } from "./graphql/endpoint/persisted.ts";
import { openPlans, type Plans } from "./graphql/compiled/plans.ts";
import { graphqlRoutes, VARY } from "./graphql/endpoint/plugin.ts";
import { buildBlogSchema } from "./graphql/schema.ts";
import { API, GRAPHQL, routeLabel } from "./http/addresses.ts";
import { checkHosts } from "./http/host-check.ts";
import { warnOfUntrustedProxy } from "./http/untrusted-proxy.ts";
import { BODY_BYTES, LIMITS, type Limits } from "./limits.ts";
import { sendError } from "./rest/endpoint/errors.ts";
import { restRoutes } from "./rest/endpoint/plugin.ts";
import { readAssets } from "./web/assets.ts";
import { createMiddlewareChain } from "./http/middleware.ts";
import { compressResponses } from "./http/compression.ts";
import { closeWhenDraining } from "./http/draining.ts";
import { prebufferBodies } from "./http/prebuffered-body.ts";
import { ignoreLongAccept, readTarget, refuseInvalidHead } from "./http/limits/request-target.ts";
import { serveDiscovery } from "./web/discovery.ts";
import { serveFiles } from "./web/files.ts";
import { openResponseCacheMiddleware } from "./cache/middleware.ts";
import { respondToParseError, limitConnections, limitHeaders } from "./http/limits/connection-limit.ts";
import { logPolicyReports } from "./http/csp-reports.ts";
import { serveHealth } from "./http/health.ts";
import { serveCompiledOperations } from "./graphql/compiled/middleware.ts";
import { openMetrics, serveMetrics, type Metric } from "./http/metrics.ts";
import { roundToHundredths, openAccessLog, runAsOperations, type LogRequest } from "./http/access-log.ts";
import { loadClient, servePages, type ExecuteAsVisitor } from "./web/pages.ts";
import { secureHeaders } from "./http/security-headers.ts";
import { limitHeldConnections } from "./http/limits/held-connections.ts";
import { shedLoad } from "./http/limits/load-shedding.ts";
import { serveSecurityContact } from "./http/security-contact.ts";
import { limitBodies } from "./http/limits/slow-bodies.ts";
import { limitUnread } from "./http/limits/unread-responses.ts";

export type AppOptions = {
  services: RequestServices;
  /** Queries of reads that may use replicas, instead of those of the services. */
  openReads?: ((isAccount: boolean) => Queries) | null;
  responseCache: ResponseCache | null;
  isReady: () => Promise<boolean>;
  metrics?: readonly Metric[];
  /** A mailto: or https: address, for security.txt. */
  securityContact?: string | undefined;
  /** Null: only this machine may read /metrics. */
  metricsToken: string | null;
  log: FastifyBaseLogger;
  publicUrl: string;
  siteTitle: string;
  corsOrigins: string[] | null;
  trustProxy: TrustRule;
  /** While true, connections are closed after their response. */
  isDraining: () => boolean;
  /** Executes only the persisted GraphQL documents of our own client. */
  persistedOnly: boolean;
  /** Whether the demo accounts can sign in from this machine: the explorer fills their login in. */
  hasDemoLogins?: boolean;
  offlineReading?: boolean;
  compiledQueries?: boolean;
  dist: string;
  openPicture: OpenPicture;
  mediaPublicUrl?: string | undefined;
  sharing?: Omit<SharingOptions, "site"> | null;
  /** Whether /llms.txt describes the site to language models. */
  llmsTxt?: boolean;
  /** For tests. */
  limits?: Limits;
  /** For tests. */
  plans?: Plans;
};

/** Composition root: the only module that knows GraphQL, REST and the pages. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { publicUrl, corsOrigins, siteTitle, dist, limits = LIMITS, sharing = null } = options;
  const metrics = openMetrics(options.metrics ?? [], options.responseCache);
  const logRequest = openAccessLog(options.log, metrics.measure);
  const trackers: Trackers = new WeakMap();
  const [app, schema] = [openFastify(options, limits), buildBlogSchema()];
  const { bodyOf, ...chain } = createMiddlewareChain(app.server, app.log);
  const client = await loadClient(dist);
  const assets = readAssets(join(dist, "client"), options);
  const nextStatement = (network: string) => shedding.scheduler.nextStatement(network);
  const contexts = contextsFrom({ ...options, nextStatement, trackerOf: (request) => trackers.get(request) });
  const { createContexts, networkFrom, originOf } = contexts;

  app.setErrorHandler(sendError);
  app.addHook("preParsing", (request, _reply, payload, done) => done(null, bodyOf(request.raw) ?? payload));
  logRequests(app, logRequest);
  const { reserveBytes, ...guards } = guardConnections(app, options, { limits, contexts });
  metrics.add(guards.metrics);
  const headers = await secureHeaders(app, { ...options, script: client.bootScript });
  await app.register(etag);
  compressResponses(app);
  // Registered after compression: a request holds its permit until its response is compressed.
  const shedding = shedLoad(app, limits, contexts);
  logPolicyReports(app, originOf);
  serveSecurityContact(app, options);
  serveHealth(app, options.isReady);
  serveMetrics(app, metrics.print, options);
  const reportFault = (err: unknown) =>
    app.log.warn({ err }, "an operation is interpreted from now on: its compiled code failed");
  const { compiledQueries: isOn = true, plans = openPlans(schema, { isOn, reportFault }) } = options;
  const documents = readPersistedDocuments(dist);
  const documentStore = openDocumentStore();
  const held = limitHeldConnections(networkFrom, shedding);
  metrics.add([held.metric, ...shedding.metrics, ...graphqlMetrics(plans, documentStore)]);
  const graphql = { schema, documents, documentStore, plans };
  await app.register(graphqlRoutes, { ...options, ...contexts, ...shedding, ...graphql });
  await app.register(restRoutes, { prefix: API, createContexts, publicUrl, sheet: assets.sheet });
  await serveFiles(app, { ...options, media: options.services.media, originOf, reserveBytes });
  const executeFor = executorFor({ plans, log: app.log, contexts, trackers });
  const site = { siteTitle, publicUrl, client, assets, hasMailServer: !options.services.mail.isLocalOutbox };
  const visitorCtx = (request: FastifyRequest) => contexts.visitorContexts(request).read();
  serveDiscovery(app, { ...options, ...site, visitorCtx });
  servePages(app, { ...options, ...site, ...contexts, executeFor, scheduler: shedding.scheduler, limits });

  const compiled = serveCompiledOperations({
    ...{ ...options, ...shedding, logRequest },
    headers: { ...headers, "cache-control": "no-store", vary: VARY },
    find: finderFrom(findCompiledOperation({ plans, documents, log: app.log }), contexts),
  });
  // With restricted origins the CORS headers depend on the request, so Fastify has to respond.
  const checks = [limitHeaders, refuseInvalidHead, ignoreLongAccept, readTarget, held.middleware];
  const cache = openResponseCacheMiddleware({
    ...{ ...options, ...shedding, share: shareBy(options) },
    ...{ trackers, networkFrom, logRequest },
  });
  const middleware = [...checks, prebufferBodies(), cache.lookUp, shedding.before, cache.coalesce];
  if (sharing) middleware.unshift(markPrivate);
  chain.use(corsOrigins ? middleware : [...middleware, compiled]);
  return app;
}

type Find = Parameters<typeof serveCompiledOperations>[0]["find"];

const finderFrom =
  (find: ReturnType<typeof findCompiledOperation>, { tryWith }: ReturnType<typeof contextsFrom>): Find =>
  (request, body) => {
    const run = find({ headers: request.headers, body });
    if (!run) return null;
    return (requestId) => tryWith(request, GRAPHQL, requestId, (each) => run(each, requestId));
  };

const shareBy = ({ sharing, publicUrl }: AppOptions) =>
  sharing ? openSharing({ ...sharing, site: publicUrl }) : null;

type PageExecution = {
  plans: Plans;
  log: FastifyBaseLogger;
  contexts: ReturnType<typeof contextsFrom>;
  trackers: Trackers;
};

/** Executes the queries of a page as a visitor. */
function executorFor({ plans, log, contexts, trackers }: PageExecution) {
  const execute = executorOfPages({ plans, log });
  return (page: FastifyRequest): ExecuteAsVisitor =>
    async (request) => {
      const result = await execute(contexts.visitorContexts(page), request);
      const tracker = trackers.get(page.raw);
      // A page with errors must not be cached.
      if (tracker && result.errors) tracker.isTraceable = false;
      return result;
    };
}

const graphqlMetrics = (plans: Plans, documents: DocumentStore): Metric[] => [
  { name: "blog_graphql_plans", help: "Cached plans of GraphQL operations.", read: plans.size },
  { name: "blog_graphql_documents", help: "Cached parsed GraphQL documents.", read: documents.size },
];

function guardConnections(
  app: FastifyInstance,
  options: AppOptions,
  { limits, contexts }: { limits: Limits; contexts: ReturnType<typeof contextsFrom> },
) {
  checkHosts(app);
  warnOfUntrustedProxy(app, options.trustProxy);
  limitBodies(app, limits, contexts.networkFrom);
  closeWhenDraining(app, options.isDraining);
  const { metric, reserveBytes } = limitUnread(app, limits);
  const mayBeProxy = options.trustProxy === false ? undefined : () => true;
  return { metrics: [metric, ...limitConnections(app, limits, { mayBeProxy })], reserveBytes };
}

function openFastify({ log, trustProxy, corsOrigins }: AppOptions, limits: Limits): FastifyInstance {
  return fastify({
    // At level trace, @fastify/multipart would log the headers of each form, with the token.
    loggerInstance: log.child({}, { serializers: { busboyOptions: () => undefined } }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy,
    bodyLimit: BODY_BYTES,
    clientErrorHandler: respondToParseError,
    http: {
      headersTimeout: limits.head,
      connectionsCheckingInterval: limits.sweep,
      requireHostHeader: false,
    },
    requestTimeout: limits.upload,
    routerOptions: { maxParamLength: 2_000 },
    forceCloseConnections: "idle",
    // A proxy may have sent a request on an open connection before it learnt of the stop.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      // For URLs that cannot be decoded. No hook runs, so the headers are set here.
      reply.header("x-content-type-options", "nosniff").header("cache-control", "no-store");
      if (!corsOrigins) reply.header("access-control-allow-origin", "*");
      sendError(error, request, reply);
    },
  });
}

function logRequests(app: FastifyInstance, logRequest: LogRequest): void {
  runAsOperations(app);
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { id: reqId, method, routeOptions } = request;
    const route = routeLabel(routeOptions.url);
    const milliseconds = roundToHundredths(reply.elapsedTime);
    logRequest({ reqId, method, route, status: reply.statusCode, milliseconds });
    done();
  });
}
