import type { Multipart, MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { badInput, BlogError, fileTooLarge } from "../errors.ts";
import { PICTURE_BYTES } from "../limits.ts";

/** Media types have no case: Fastify parses `Multipart/Form-Data` as a form, too. */
export const isForm = (contentType?: string): boolean =>
  contentType?.toLowerCase().startsWith("multipart/form-data") === true;

/** Bytes of one text field, and number of fields. */
type FieldLimits = { fieldSize: number; fields: number };

/** The parts of a form with at most one file. Each is read from the connection once the previous one is consumed. */
export async function* parseParts(
  request: FastifyRequest,
  { fieldSize, fields }: FieldLimits,
): AsyncGenerator<Multipart> {
  const limits = { fileSize: PICTURE_BYTES, files: 1, fields, fieldSize, parts: fields + 2 };
  const parts = await whileOpen(request, async () => request.parts({ limits })[Symbol.asyncIterator]());
  for (;;) {
    const part = await whileOpen(request, () => parts.next());
    if (part.done) return;
    yield part.value;
  }
}

/**
 * The parser would wait for ever for an aborted request, also for one that arrived whole but is not read yet.
 * @throws BAD_USER_INPUT if it is aborted
 */
function whileOpen<T>({ raw }: FastifyRequest, read: () => Promise<T>): Promise<T> {
  const isAborted = () => !raw.readableEnded;
  const aborted = () => badInput("the request was cut");
  if (raw.destroyed && isAborted()) return Promise.reject(aborted());
  return new Promise<T>((resolve, reject) => {
    const onClose = () => void (isAborted() && reject(aborted()));
    raw.once("close", onClose);
    void read()
      .then(resolve, reject)
      .finally(() => raw.off("close", onClose));
  });
}

/** The value of a text field. @throws BAD_USER_INPUT if it is longer than its limit */
export function readField(part: Exclude<Multipart, MultipartFile>): unknown {
  if (part.valueTruncated) throw badInput(`"${part.fieldname.slice(0, 100)}" is too long`);
  return part.value;
}

/** Null for the empty file that browsers send if no file was chosen. */
export async function readFile(request: FastifyRequest, part: MultipartFile): Promise<Buffer | null> {
  const bytes = await whileOpen(request, () => part.toBuffer());
  return bytes.length > 0 ? bytes : null;
}

/** Maps the parser's errors; a BlogError is returned unchanged. */
export function formError(error: Error & { code?: string }): Error {
  if (error instanceof BlogError) return error;
  if (error.code === "FST_REQ_FILE_TOO_LARGE") return fileTooLarge();
  if (error.code === "FST_FILES_LIMIT") return badInput("only one file is allowed");
  if (error.code === "FST_FIELDS_LIMIT" || error.code === "FST_PARTS_LIMIT")
    return badInput("too many fields");
  return new BlogError("BAD_USER_INPUT", "the form is not well formed", { cause: error });
}
