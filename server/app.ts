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
import type { Answers, Reading } from "./answers.ts";
import type { Ctx, Parts } from "./context.ts";
import { noteReads } from "./data/answers/noted-reads.ts";
import { recognise } from "./domain/sessions.ts";
import { createGraphQLContext } from "./graphql/context.ts";
import { describeErrors } from "./graphql/errors.ts";
import { openPlans, type Plans } from "./graphql/plans.ts";
import { graphqlRoutes } from "./graphql/plugin.ts";
import { buildBlogSchema } from "./graphql/schema.ts";
import { BODY_BYTES, LIMITS, type Limits } from "./limits.ts";
import { sendError } from "./rest/errors.ts";
import { restRoutes } from "./rest/plugin.ts";
import { readAssets } from "./web/assets.ts";
import { compressAnswers } from "./web/compression.ts";
import { serveFiles } from "./web/files.ts";
import { openFront } from "./web/front.ts";
import { serveHealth } from "./web/health.ts";
import { openMetrics, serveMetrics, type Gauge, type Measure } from "./web/metrics.ts";
import { loadClient, servePages, type ExecuteAsVisitor } from "./web/pages.ts";
import { secureHeaders } from "./web/security.ts";
import { shedLoad } from "./web/shedding.ts";
import { limitBodies } from "./web/unfinished-bodies.ts";

export type AppOptions = {
  parts: Parts;
  /** Null where finished answers are not kept. */
  answers: Answers | null;
  isReady: () => Promise<boolean>;
  /** What the parts tell of themselves in /metrics. */
  gauges?: readonly Gauge[];
  /** Null: /metrics is for this machine alone. */
  metricsToken: string | null;
  log: FastifyBaseLogger;
  publicUrl: string;
  siteTitle: string;
  corsOrigins: string[] | null;
  trustProxy: boolean | string | ((address: string, hop: number) => boolean);
  /** From then on connections are closed behind their answers. */
  isDraining: () => boolean;
  /** Of GraphQL, only the documents of our own client are run. */
  persistedOnly: boolean;
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
  const { parts, publicUrl, corsOrigins, siteTitle, dist, limits = LIMITS } = options;
  const metrics = openMetrics(options.gauges ?? [], options.answers);
  const front = openFront({ ...options, measure: metrics.measure });
  const app = fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: options.trustProxy,
    bodyLimit: BODY_BYTES,
    http: { headersTimeout: limits.head, connectionsCheckingInterval: limits.sweep },
    requestTimeout: limits.upload,
    routerOptions: { maxParamLength: 2_000 },
    forceCloseConnections: "idle",
    // An address that cannot even be decoded.
    frameworkErrors: (error, request, reply) => {
      // No hook runs for it, so neither do those that allow other origins.
      if (!corsOrigins) reply.header("access-control-allow-origin", "*");
      sendError(error, request, reply);
    },
  });
  const turns = shedLoad(app, limits);
  front.stepBefore(app.server);
  const createCtx = async (request: FastifyRequest): Promise<Ctx> =>
    trace(front.readingOf(request.raw), request.routeOptions.url, {
      ...parts,
      ...(await recognise(parts, bearerToken(request))),
      origin: request.ip,
      userAgent: request.headers["user-agent"] ?? null,
    });
  const schema = buildBlogSchema();
  const client = await loadClient(dist);
  const assets = readAssets(join(dist, "client"));

  app.setErrorHandler(sendError);
  app.addHook("preParsing", (request, _reply, payload, done) =>
    done(null, front.bodyOf(request.raw) ?? payload),
  );
  logRequests(app, metrics.measure);
  limitBodies(app, limits);
  closeWhenDraining(app, options.isDraining);
  await secureHeaders(app, { publicUrl, corsOrigins, script: client.bootScript, sheet: assets.sheet });
  await app.register(etag);
  compressAnswers(app);
  serveHealth(app, options.isReady);
  serveMetrics(app, metrics.print, options.metricsToken);
  const { persistedOnly, plans = openPlans(schema) } = options;
  await app.register(graphqlRoutes, { schema, dist, plans, persistedOnly, createCtx });
  await app.register(restRoutes, { prefix: "/api", createCtx, publicUrl });
  await serveFiles(app, dist, options.mediaFolder);
  const execute = executeAsVisitor(schema, app.log);
  const executeFor = ({ raw }: FastifyRequest, reading = front.readingOf(raw)) =>
    execute(trace(reading, "page", { ...parts, ...aVisitor }), reading);
  servePages(app, { client, assets, siteTitle, executeFor, turns, limits });
  return app;
}

function closeWhenDraining(app: FastifyInstance, isDraining: AppOptions["isDraining"]): void {
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (isDraining()) reply.header("connection", "close");
    done();
  });
}

/** `Bearer undefined`, which some clients send, is a token too: a bad one. */
function bearerToken(request: FastifyRequest): string | null {
  const [, token] = /^Bearer\s+(\S+)\s*$/i.exec(request.headers.authorization ?? "") ?? [];
  return token ?? null;
}

const aVisitor = { viewer: null, session: "none", origin: "page", userAgent: null } as const;

/** Pages ask the API in process: no HTTP, no parsing, no viewer. */
const executeAsVisitor =
  (schema: GraphQLSchema, log: FastifyBaseLogger) =>
  (ctx: Ctx, reading: Reading | undefined): ExecuteAsVisitor =>
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

/**
 * Where the answer may be kept: notes what it is read from. What is asked of the database itself leaves no
 * trace, so that such an answer is not kept.
 */
function trace(reading: Reading | undefined, route: string | undefined, ctx: Ctx): Ctx {
  if (!reading) return ctx;
  const { db } = ctx;
  reading.route = route ?? "page";
  return Object.defineProperty(
    { ...ctx, reads: noteReads(ctx.reads, (tag) => reading.tags.add(tag)) },
    "db",
    {
      get: () => {
        reading.isTraceable = false;
        return db;
      },
    },
  );
}

/** One line per answer, with the route's pattern: an address itself may hold a token. */
function logRequests(app: FastifyInstance, measure: Measure): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { method, routeOptions } = request;
    const route = routeOptions.url ?? "page";
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10;
    measure(method, route, reply.statusCode, reply.elapsedTime);
    request.log.info({ method, route, status: reply.statusCode, milliseconds });
    done();
  });
}
