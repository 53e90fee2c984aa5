import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { rateLimitState } from "../../domain/accounts/rate-limits.ts";
import type { Contexts, Ctx, Effect, ReadCtx } from "../../domain/context.ts";
import { isRecent, requireRecentSession } from "../../domain/permissions.ts";
import { badInput } from "../../errors.ts";
import { rateLimitHeaders } from "../../http/rate-limit-headers.ts";
import { unsupported } from "./bodies.ts";
import type { Described, Method, Operation } from "./operations.ts";
import { JsonStream, openStream } from "./streams.ts";

export type RestCall<Does extends Effect = Effect> = {
  ctx: Does extends "read" ? ReadCtx : Ctx;
  id: string;
  /** The second path parameter, if there is one. */
  token: string;
  query: Record<string, string>;
  body: unknown;
  request: FastifyRequest;
  reply: FastifyReply;
};

type Result<T> = T | JsonStream | Promise<T | JsonStream>;
export type Route = <Shape extends z.ZodType, Does extends Effect>(
  method: Method,
  path: string,
  operation: Operation<Shape, Does>,
  handle: (call: RestCall<Does>) => Result<z.output<Shape>>,
) => void;

type Options = { createContexts: (request: FastifyRequest) => Promise<Contexts>; timeoutMs: number };

/** @returns the function that adds a route, and the list of the operations added so far */
export function routesOf(app: FastifyInstance, { createContexts, timeoutMs }: Options) {
  const operations: Described[] = [];
  const route: Route = (method, path, operation, handle) => {
    operations.push({ ...operation, method, path });
    app.route({
      method,
      url: path,
      config: { takesUpload: operation.form !== undefined },
      handler: async (request, reply) => {
        const { id = "", token = "" } = request.params as { id?: string; token?: string };
        const contexts = await createContexts(request);
        const [query, body] = [readQuery(request), bodyOf(request)];
        nameIgnored(operation, query, reply);
        const ctx = contexts[operation.effect]() as Parameters<typeof handle>[0]["ctx"];
        let response;
        try {
          response = await handle({ ctx, id, token, query, body, request, reply });
          if (operation.effect === "read") await requireOpenSession(operation, contexts);
        } finally {
          reply.headers(rateLimitHeaders(rateLimitState(ctx)));
        }
        const sent =
          response instanceof JsonStream
            ? await openStream(response, reply, {
                ...{ origin: ctx.origin, timeoutMs },
                authorize: () => requireOpenSession(operation, contexts),
              })
            : response;
        return reply
          .code(operation.status ?? 200)
          .type("application/json; charset=utf-8")
          .send(sent);
      },
    });
  };
  return { route, operations };
}

/** The session may have ended while the request waited in a queue. @throws UNAUTHENTICATED */
async function requireOpenSession(
  { who }: Pick<Operation, "who">,
  { viewer, write }: Contexts,
): Promise<void> {
  if (who !== "everybody" && viewer && !isRecent(viewer)) await requireRecentSession(write(), viewer);
}

/** The longest list, and the longest name, that the header repeats. */
const [MAX_IGNORED, LONGEST] = [10, 50];

/** Lists unknown parameters, which a client may have misspelt, in a header. */
function nameIgnored({ query: schema }: Pick<Operation, "query">, given: object, reply: FastifyReply): void {
  const ignored = Object.keys(given).filter(
    (name) => name !== "" && !(schema && Object.hasOwn(schema.shape, name)),
  );
  if (ignored.length === 0) return;
  const names = ignored
    .slice(0, MAX_IGNORED)
    .map((name) => encodeURIComponent(name.slice(0, LONGEST).toWellFormed()));
  reply.header("x-ignored-parameters", names.join(", "));
}

/** A form is an error for routes that read JSON; routes with forms read the request themselves. */
const bodyOf = (request: FastifyRequest) => (request.isMultipart() ? unsupported() : request.body);

function readQuery(request: FastifyRequest): Record<string, string> {
  const query = request.query as Record<string, string | string[]>;
  for (const [name, value] of Object.entries(query))
    if (Array.isArray(value)) throw badInput(`"${name}" is given more than once`);
  return query as Record<string, string>;
}
