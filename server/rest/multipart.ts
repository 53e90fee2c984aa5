import type { MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import type { Received } from "../domain/post-changes.ts";
import { badInput, BlogError } from "../errors.ts";
import { BODY_BYTES, PICTURE_BYTES } from "../limits.ts";

const limits = { fileSize: PICTURE_BYTES, files: 1, fields: 20, fieldSize: 2 * BODY_BYTES, parts: 22 };

/**
 * Reads a form with at most one file, called `image`.
 * @throws BAD_USER_INPUT, PAYLOAD_TOO_LARGE
 */
export async function receiveForm(request: FastifyRequest): Promise<Received> {
  if (!request.isMultipart()) return { fields: request.body, image: null };
  try {
    return await readParts(request);
  } catch (error) {
    throw refusalOf(error as Error & { code?: string });
  }
}

async function readParts(request: FastifyRequest): Promise<Received> {
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  let image: Buffer | null = null;
  for await (const part of request.parts({ limits })) {
    if (part.type === "file") image = await readImage(part);
    else if (part.valueTruncated) throw badInput(`"${part.fieldname}" is too long`);
    else if (part.fieldname in fields) throw badInput(`"${part.fieldname}" is given twice`);
    else fields[part.fieldname] = part.value;
  }
  return { fields, image };
}

async function readImage(part: MultipartFile): Promise<Buffer | null> {
  if (part.fieldname !== "image") throw badInput(`"${part.fieldname}" is not allowed`);
  const bytes = await part.toBuffer();
  // A form sent without choosing a file has an empty one.
  return bytes.length > 0 ? bytes : null;
}

/** What the parser refuses, in our words. */
function refusalOf(error: Error & { code?: string }): Error {
  if (error instanceof BlogError) return error;
  if (error.code === "FST_REQ_FILE_TOO_LARGE") return new BlogError("PAYLOAD_TOO_LARGE", "File too large");
  if (error.code === "FST_FILES_LIMIT") return badInput("only one file is allowed");
  if (error.code === "FST_FIELDS_LIMIT" || error.code === "FST_PARTS_LIMIT")
    return badInput("too many fields");
  return new BlogError("BAD_USER_INPUT", "the form is not well formed", { cause: error });
}
