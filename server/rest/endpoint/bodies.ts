import multipart from "@fastify/multipart";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Contexts } from "../../domain/context.ts";
import { BlogError, bodyTooLarge } from "../../errors.ts";
import { hasTooManyValues } from "../../http/limits/json-structure.ts";
import { countLargeBody, isLarge, limitBodyStream } from "../../http/limits/large-bodies.ts";
import { isForm } from "../../http/multipart.ts";
import { BODY_BYTES, TEXT_BODY_BYTES } from "../../limits.ts";

/** Bodies up to this size are read, and refused only after the checks that precede the body's. */
const MAX_READ_BYTES = 2 * TEXT_BODY_BYTES;

const takesText = ({ method, routeOptions }: FastifyRequest) =>
  method === "PUT" && routeOptions.url?.endsWith("/posts/:id") === true;

type CreateContexts = (request: FastifyRequest) => Promise<Contexts>;

/**
 * Parses an invalid body to an error value, which the domain throws after its authorization checks.
 * Legacy clients send `{}`, `null` or nothing under any content type.
 */
export async function acceptLenientBodies(
  app: FastifyInstance,
  createContexts: CreateContexts,
): Promise<void> {
  const unread = new WeakSet<FastifyRequest>();
  // Large bodies are read for accounts only. For visitors they parse to an error.
  app.addHook("preParsing", async (request, _reply, payload) => {
    const isOfUnknownLength = request.headers["transfer-encoding"] !== undefined;
    if (isForm(request.headers["content-type"]) || !(isOfUnknownLength || isLarge(request))) return payload;
    const { viewer } = await createContexts(request);
    if (viewer) countLargeBody(request, viewer.id);
    if (isOfUnknownLength) return limitBodyStream(payload, viewer ? MAX_READ_BYTES : BODY_BYTES);
    if (viewer) return payload;
    unread.add(request);
    const length = Number(request.headers["content-length"]);
    return Object.assign(Readable.from([]), { receivedEncodedLength: length });
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "string", bodyLimit: MAX_READ_BYTES },
    (request, body, done) => {
      const limit = takesText(request) ? TEXT_BODY_BYTES : BODY_BYTES;
      done(null, unread.has(request) ? bodyTooLarge() : parseJson(String(body), limit));
    },
  );
  app.addContentTypeParser("*", { parseAs: "string", bodyLimit: MAX_READ_BYTES }, (_request, body, done) => {
    if (String(body).trim() === "") done(null, undefined);
    else done(null, unsupported());
  });
  await app.register(multipart);
}

export const unsupported = () => new BlogError("UNSUPPORTED_MEDIA_TYPE", "send the body as application/json");

function parseJson(body: string, limit: number): unknown {
  if (body.trim() === "") return undefined;
  if (Buffer.byteLength(body) > limit) return bodyTooLarge();
  if (hasTooManyValues(body)) return new BlogError("BAD_USER_INPUT", "the body has too many values");
  try {
    return JSON.parse(body) as unknown;
  } catch (error) {
    return new BlogError("BAD_USER_INPUT", "the body is not valid JSON", { cause: error });
  }
}
