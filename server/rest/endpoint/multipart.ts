import type { FastifyRequest } from "fastify";
import type { ReadCtx } from "../../domain/context.ts";
import { requireViewer } from "../../domain/permissions.ts";
import type { UploadForm } from "../../domain/posts/post-changes.ts";
import { badInput } from "../../errors.ts";
import { formError, partsOf, readField, readFile } from "../../http/multipart.ts";
import { receiveUpload } from "../../http/limits/upload-places.ts";
import { TEXT_BODY_BYTES } from "../../limits.ts";

const limits = { fields: 20, fieldSize: TEXT_BODY_BYTES };

/** Reads at most one file, `image`. @throws UNAUTHENTICATED, BAD_USER_INPUT, PAYLOAD_TOO_LARGE, RATE_LIMITED */
export async function receiveForm(request: FastifyRequest, ctx: ReadCtx): Promise<UploadForm> {
  if (!request.isMultipart()) return { fields: request.body, image: null };
  const account = requireViewer(ctx).id;
  try {
    return await receiveUpload({ account, origin: ctx.origin }, () => readParts(request));
  } catch (error) {
    throw formError(error as Error & { code?: string });
  }
}

async function readParts(request: FastifyRequest): Promise<UploadForm> {
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  let image: Buffer | null = null;
  for await (const part of partsOf(request, limits)) {
    if (part.type === "file") {
      if (part.fieldname !== "image") throw badInput(`"${part.fieldname}" is not allowed`);
      image = await readFile(request, part);
    } else if (part.fieldname in fields) throw badInput(`"${part.fieldname}" is given twice`);
    else fields[part.fieldname] = readField(part);
  }
  return { fields, image };
}
