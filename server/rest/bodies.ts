import multipart from "@fastify/multipart";
import type { FastifyInstance } from "fastify";
import { BlogError } from "../errors.ts";

/** Legacy callers send `{}`, `null` or nothing, with whatever type their library thinks of. */
export async function acceptLenientBodies(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => {
    try {
      done(null, parseJson(String(body)));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => {
    if (String(body).trim() === "") done(null, undefined);
    else done(new BlogError("UNSUPPORTED_MEDIA_TYPE", "send the body as application/json"));
  });
  await app.register(multipart);
}

function parseJson(body: string): unknown {
  if (body.trim() === "") return undefined;
  try {
    return JSON.parse(body) as unknown;
  } catch (error) {
    throw new BlogError("BAD_USER_INPUT", "the body is not valid JSON", { cause: error });
  }
}
