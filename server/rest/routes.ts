import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Ctx } from "../context.ts";
import { badInput } from "../errors.ts";
import { unsupported } from "./bodies.ts";

/** What a handler is given: who asks, what was sent, and the reply for a status of its own. */
export type Call = {
  ctx: Ctx;
  id: string;
  /** The other parameter of a path with two. */
  token: string;
  query: Record<string, string>;
  body: unknown;
  request: FastifyRequest;
  reply: FastifyReply;
};

type Method = "GET" | "POST" | "PUT" | "DELETE";
export type Route = (method: Method, path: string, handle: (call: Call) => unknown) => void;

/** Turns a request into a call: three routes out of four then are one line. */
export function routesOf(app: FastifyInstance, createCtx: (request: FastifyRequest) => Promise<Ctx>): Route {
  return (method, path, handle) => {
    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const { id = "", token = "" } = request.params as { id?: string; token?: string };
        const ctx = await createCtx(request);
        return handle({ ctx, id, token, query: readQuery(request), body: bodyOf(request), request, reply });
      },
    });
  };
}

/** A form where JSON is wanted is no body; what takes forms reads them itself. */
const bodyOf = (request: FastifyRequest) => (request.isMultipart() ? unsupported() : request.body);

function readQuery(request: FastifyRequest): Record<string, string> {
  const query = request.query as Record<string, string | string[]>;
  for (const [name, value] of Object.entries(query))
    if (Array.isArray(value)) throw badInput(`"${name}" is given more than once`);
  return query as Record<string, string>;
}
