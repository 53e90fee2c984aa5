import type { FastifyRequest } from "fastify";
import type { ReadCtx } from "../../domain/context.ts";
import type { UploadForm } from "../../domain/posts/post-changes.ts";
import { badInput } from "../../errors.ts";
import { formError, parseField, parseParts, readFile } from "../../http/multipart.ts";
import { withUploadPermit } from "../../http/limits/upload-permits.ts";
import { TEXT_BODY_BYTES } from "../../limits.ts";

const limits = { fields: 20, fieldSize: TEXT_BODY_BYTES };

/**
 * Runs a verb that reads a form with at most one file, `image`.
 * @throws UNAUTHENTICATED, BAD_USER_INPUT, PAYLOAD_TOO_LARGE, RATE_LIMITED, and the errors of the verb
 */
export function withForm<T>(
  request: FastifyRequest,
  ctx: ReadCtx,
  verb: (readForm: () => Promise<UploadForm>) => Promise<T>,
): Promise<T> {
  if (!ctx.viewer || !request.isMultipart()) return verb(async () => ({ fields: request.body, image: null }));
  return withUploadPermit({ account: ctx.viewer.id, origin: ctx.origin }, () => readForm(request), verb);
}

const readForm = (request: FastifyRequest): Promise<UploadForm> =>
  readParts(request).catch((error: Error & { code?: string }) => {
    throw formError(error);
  });

async function readParts(request: FastifyRequest): Promise<UploadForm> {
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  let image: Buffer | null = null;
  let length = 0;
  for await (const part of parseParts(request, limits)) {
    const { fieldname } = part;
    if (part.type === "file") {
      if (fieldname !== "image") throw badInput(`"${fieldname}" is not allowed`);
      image = await readFile(request, part);
    } else {
      if (fieldname in fields) throw badInput(`"${fieldname}" is given twice`);
      length += part.value.length;
      if (length > TEXT_BODY_BYTES) throw badInput("the fields are too long");
      fields[fieldname] = part.isJson ? parseField(part) : part.value;
    }
  }
  return { fields, image };
}
