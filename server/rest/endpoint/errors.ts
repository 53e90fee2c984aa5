import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { badInput, BlogError, bodyTooLarge, notFound, statusOf, toBlogError } from "../../errors.ts";
import { API } from "../../http/addresses.ts";
import type { Described } from "./operations.ts";

export function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const { code, message, fields, retryAfter, cause } = fromFastify(error) ?? toBlogError(error);
  if (code === "INTERNAL_SERVER_ERROR") request.log.error({ err: cause }, "a request failed");
  if (retryAfter !== undefined) reply.header("retry-after", retryAfter);
  if (code === "UNAUTHENTICATED") reply.header("www-authenticate", "Bearer");
  const requestId = code === "INTERNAL_SERVER_ERROR" ? request.id : undefined;
  reply.code(statusOf[code]).send({ message, code, fields, requestId });
}

type Address = Pick<Described, "method" | "path">;

/** Answers 405 where the path takes other methods, else 404; also for a path whose id is too long for the router. */
export function createNotFoundHandler(addresses: readonly Address[]) {
  const patterns = addresses.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${API}${path.replace(/:\w+/g, "[^/]+")}$`),
  }));
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const path = request.url.split("?")[0] ?? "";
    const allowed: string[] = patterns
      .filter(({ pattern }) => pattern.test(path))
      .map(({ method }) => method);
    if (allowed.includes("GET")) allowed.push("HEAD");
    const isWrongMethod = allowed.length > 0 && !allowed.includes(request.method);
    const code = isWrongMethod ? "METHOD_NOT_ALLOWED" : "NOT_FOUND";
    if (isWrongMethod) reply.header("allow", [...new Set(allowed)].sort().join(", "));
    reply.code(statusOf[code]).send({ message: `there is no ${request.method} ${path.slice(0, 200)}`, code });
  };
}

/** Maps errors that Fastify raises before the handler. */
function fromFastify(error: FastifyError): BlogError | null {
  if (error instanceof BlogError) return null;
  if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") return bodyTooLarge();
  if (error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE")
    return new BlogError("UNSUPPORTED_MEDIA_TYPE", "this type of body is not supported");
  // @fastify/static sends 403 for folders and for paths outside its root.
  if (error.statusCode === 404 || error.statusCode === 403) return notFound("page");
  if (error.code === "FST_ERR_BAD_URL") return badInput("the address is not well formed");
  if (!error.statusCode || error.statusCode >= 500) return null;
  // Some messages repeat the whole URL.
  return badInput(error.message.slice(0, 200));
}
