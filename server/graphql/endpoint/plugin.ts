import { join } from "node:path";
import { fastifyApolloHandler } from "@as-integrations/fastify";
import multipart from "@fastify/multipart";
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preParsingAsyncHookHandler,
} from "fastify";
import { GraphQLError, printSchema, type GraphQLSchema } from "graphql";
import type { Contexts, ReadCtx } from "../../domain/context.ts";
import { requireViewer } from "../../domain/permissions.ts";
import { badInput, BlogError, statusOf, toBlogError } from "../../errors.ts";
import { hasTooManyValues } from "../../http/limits/json-structure.ts";
import { countLargeBody, isLarge, limitBodyStream } from "../../http/limits/large-bodies.ts";
import { acquireUploadPermit } from "../../http/limits/upload-permits.ts";
import { isForm } from "../../http/multipart.ts";
import type { Scheduler } from "../../http/limits/event-loop-scheduler.ts";
import { addVary } from "../../http/vary.ts";
import { TEXT_BODY_BYTES } from "../../limits.ts";
import { networkOf } from "../../networks.ts";
import { startApollo } from "./apollo.ts";
import { createGraphQLContext, type GraphQLContext } from "../context.ts";
import { requestError } from "./errors.ts";
import { serveExplorer, acceptsHtml } from "./explorer.ts";
import { readOperations } from "./multipart.ts";
import { acquireValidationPermit } from "./validation-queue.ts";
import type { PersistedDocuments } from "./persisted.ts";
import type { DocumentStore } from "./document-store.ts";
import type { Plans } from "../compiled/plans.ts";

type Options = {
  schema: GraphQLSchema;
  documents: PersistedDocuments;
  dist: string;
  plans: Plans;
  documentStore: DocumentStore;
  hasDemoLogins?: boolean;
  /** Runs only the client's own documents, and serves no explorer. */
  persistedOnly: boolean;
  createContexts: (request: FastifyRequest) => Promise<Contexts>;
  scheduler: Pick<Scheduler, "next">;
};

/** /graphql: JSON by POST, queries by GET, uploads by the multipart request specification. */
export async function graphqlRoutes(app: FastifyInstance, options: Options): Promise<void> {
  const { dist, hasDemoLogins = false, persistedOnly, schema, createContexts, scheduler } = options;
  const apollo = await startApollo({ ...options, log: app.log });
  app.addHook("onClose", () => apollo.stop());
  await app.register(multipart);
  // Created before Apollo runs: Apollo would send the database driver's message of a failure here.
  const contexts = new WeakMap<FastifyRequest, GraphQLContext>();
  const prepareContext = async (request: FastifyRequest) =>
    void contexts.set(request, createGraphQLContext(await createContexts(request), request.id));
  const contextOf = (request: FastifyRequest) => contexts.get(request) as GraphQLContext;
  const executeByApollo = fastifyApolloHandler(apollo, { context: async (request) => contextOf(request) });
  app.setErrorHandler(sendGraphQLError);
  const showExplorer = persistedOnly ? null : await serveExplorer(app, join(dist, "explorer"), hasDemoLogins);
  const text = Buffer.from(printSchema(schema));
  app.get("/schema.graphql", (_request, reply) => reply.type("text/plain; charset=utf-8").send(text));
  refuseMethods(app);
  limitJson(app);
  app.route({
    method: ["GET", "POST"],
    url: "/graphql",
    config: { takesUpload: true },
    bodyLimit: TEXT_BODY_BYTES,
    onRequest: setVary,
    preParsing: limitBody(createContexts),
    onSend: (request, reply, _payload, done) => {
      setCaching(request, reply, contexts.get(request)?.caching.isPrivate === true);
      done();
    },
    preHandler: async (request, reply) => {
      if (showExplorer && acceptsHtml(request)) return showExplorer(request, reply);
      await prepareContext(request);
      const { ctx } = contextOf(request);
      try {
        if (request.isMultipart()) {
          request.body = await receiveForm(request, ctx);
          // Reading a form may take minutes, and the session may have ended meanwhile.
          await prepareContext(request);
        }
      } catch (error) {
        return refuseVisitor(error, ctx, reply);
      }
      if (typeof request.body === "string") refuseForgeable(request);
      if (Array.isArray(request.body)) throw badInput("send one operation per request: batches are not run");
      return undefined;
    },
    // Not in a hook: Fastify skips the handler, and so the release, where a reply was sent meanwhile.
    async handler(request, reply) {
      const context = contextOf(request);
      try {
        await waitForValidation(request, context, scheduler);
        return await executeByApollo.call(app, request, reply);
      } finally {
        for (const release of context.releases) release();
      }
    },
  });
}

async function waitForValidation(
  request: FastifyRequest,
  context: GraphQLContext,
  scheduler: Options["scheduler"],
): Promise<void> {
  const { origin } = context.ctx;
  context.releaseValidation = await acquireValidationPermit(sourceOf(request), origin, scheduler);
  context.releases.push(context.releaseValidation);
  refuseDisconnected(request);
  context.beforeIntrospection = async () => {
    await scheduler.next(networkOf(origin));
    refuseDisconnected(request);
  };
}

/** A client that does not wait for its responses could otherwise have any number of documents run. @throws GraphQLError */
function refuseDisconnected({ raw }: FastifyRequest): void {
  if (raw.socket.destroyed) throw requestError(badInput("the client has disconnected"));
}

function limitJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (hasTooManyValues(String(body))) done(badInput("the request has too many values"));
    else parse(request, String(body), done);
  });
}

/** Large bodies are read for accounts only. @throws PAYLOAD_TOO_LARGE */
const limitBody =
  (createContexts: Options["createContexts"]): preParsingAsyncHookHandler =>
  async (request, _reply, payload) => {
    if (isForm(request.headers["content-type"])) return payload;
    if (request.headers["transfer-encoding"] !== undefined) return limitBodyStream(payload);
    if (!isLarge(request)) return payload;
    const { viewer } = await createContexts(request);
    if (!viewer) throw tooLarge();
    countLargeBody(request, viewer.id);
    return payload;
  };

const sourceOf = ({ method, body, query }: FastifyRequest): unknown =>
  ((method === "GET" ? query : body) as { query?: unknown } | null | undefined)?.query;

/** HTML forms and links cannot send these headers, so either one rules out CSRF. */
const preflightHeaders = ["apollo-require-preflight", "x-apollo-operation-name"] as const;

/** For bodies that a page of another site can send without a preflight. @throws BAD_USER_INPUT */
function refuseForgeable({ headers }: FastifyRequest): void {
  if (preflightHeaders.some((name) => headers[name])) return;
  throw badInput(
    "this form has been blocked as a potential cross-site request forgery (CSRF): " +
      "send the header `apollo-require-preflight: true` with it",
  );
}

/** Requires an account, as every mutation with a file does. @throws BAD_USER_INPUT, UNAUTHENTICATED, PAYLOAD_TOO_LARGE */
async function receiveForm(request: FastifyRequest, ctx: ReadCtx) {
  refuseForgeable(request);
  const account = requireViewer(ctx).id;
  const release = await acquireUploadPermit({ account, origin: ctx.origin });
  // The mutation acquires a permit again before it reads the file.
  return readOperations(request).finally(release);
}

/** Sends the response that the resolver's own check would cause: status 200, with the ended session as extension. */
function refuseVisitor(error: unknown, { session }: ReadCtx, reply: FastifyReply) {
  if (!(error instanceof BlogError) || error.code !== "UNAUTHENTICATED") throw error;
  const { code, message } = error;
  const extensions = session === "ended" ? { extensions: { session } } : {};
  return reply.send({ errors: [{ message, extensions: { code } }], data: null, ...extensions });
}

/** Refuses before the body is read. */
function refuseMethods(app: FastifyInstance): void {
  const refuse = async ({ method }: FastifyRequest, reply: FastifyReply) => {
    reply.header("allow", "GET, POST").header("cache-control", "no-store");
    throw new BlogError("METHOD_NOT_ALLOWED", `send GraphQL requests by GET or POST, not by ${method}`);
  };
  app.route({ method: ["PUT", "PATCH", "DELETE"], url: "/graphql", onRequest: refuse, handler: refuse });
}

export const VARY = "Authorization, Accept";

function setVary(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.header("vary", addVary(reply.getHeader("vary"), VARY));
  done();
}

/** Caches may store a GET without a token, to be revalidated by ETag, and nothing else. */
function setCaching(request: FastifyRequest, reply: FastifyReply, isPrivate: boolean): void {
  const isRead = request.method === "GET" && [200, 304].includes(reply.statusCode);
  const isPublic = isRead && !request.headers.authorization && !isPrivate;
  if (isPrivate) reply.header("x-robots-tag", "noindex");
  reply.header("cache-control", isPublic ? "no-cache" : "no-store");
  if (request.method === "POST") reply.removeHeader("etag");
}

/** Formats errors raised outside of Apollo as GraphQL responses. */
function sendGraphQLError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof GraphQLError) {
    const { http: _, ...extensions } = error.extensions;
    return void reply.code(400).send({ errors: [{ message: error.message, extensions }] });
  }
  const status = error.statusCode ?? (error as { status?: number }).status ?? 500;
  const refused = status === 413 ? tooLarge() : status < 500 ? badInput(error.message) : toBlogError(error);
  const { code, message, retryAfter, cause } = error instanceof BlogError ? error : refused;
  const isFault = code === "INTERNAL_SERVER_ERROR";
  if (isFault) request.log.error({ err: cause }, "a GraphQL request failed");
  if (retryAfter !== undefined) reply.header("retry-after", retryAfter);
  const extensions = { code, ...(retryAfter && { retryAfter }), ...(isFault && { requestId: request.id }) };
  reply.code(statusOf[code]).send({ errors: [{ message, extensions }] });
}

const tooLarge = () => new BlogError("PAYLOAD_TOO_LARGE", "the request is too large");
