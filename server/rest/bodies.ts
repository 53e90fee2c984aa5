import multipart from "@fastify/multipart";
import type { FastifyInstance } from "fastify";
import { BlogError } from "../errors.ts";
import { BODY_BYTES } from "../limits.ts";

/** What is read at most, to be refused in its turn. */
const READ_AT_MOST = 10 * BODY_BYTES;

/**
 * A body that cannot be used travels on as the error it is: the domain throws it once it has asked who calls.
 * Legacy callers send `{}`, `null` or nothing, with whatever type their library thinks of.
 */
export async function acceptLenientBodies(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "string", bodyLimit: READ_AT_MOST },
    (_request, body, done) => {
      done(null, parseJson(String(body)));
    },
  );
  app.addContentTypeParser("*", { parseAs: "string", bodyLimit: READ_AT_MOST }, (_request, body, done) => {
    if (String(body).trim() === "") done(null, undefined);
    else done(null, unsupported());
  });
  await app.register(multipart);
}

export const unsupported = () => new BlogError("UNSUPPORTED_MEDIA_TYPE", "send the body as application/json");

function parseJson(body: string): unknown {
  if (body.trim() === "") return undefined;
  if (Buffer.byteLength(body) > BODY_BYTES)
    return new BlogError("PAYLOAD_TOO_LARGE", "the body is too large");
  try {
    return JSON.parse(body) as unknown;
  } catch (error) {
    return new BlogError("BAD_USER_INPUT", "the body is not valid JSON", { cause: error });
  }
}
