import type { MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { parse } from "secure-json-parse";
import { badInput, BlogError, fileTooLarge } from "../errors.ts";
import { PICTURE_BYTES } from "../limits.ts";
import { hasTooManyValues } from "./limits/json-structure.ts";

/** Media types have no case: Fastify parses `Multipart/Form-Data` as a form, too. */
export const isForm = (contentType?: string): boolean =>
  contentType?.toLowerCase().startsWith("multipart/form-data") === true;

/** Bytes of one text field, and number of fields. */
type FieldLimits = { fieldSize: number; fields: number };

type Field = { type: "field"; fieldname: string; value: string; isJson: boolean };

const isJson = (mediaType: string) => mediaType.startsWith("application/json");

/** JSON parts are read as streams, since @fastify/multipart parses fields of this type, without a limit of their structure. */
const isPartAFile = (_name?: string, mediaType = "", filename?: string) =>
  filename !== undefined || mediaType === "application/octet-stream" || isJson(mediaType);

/** The parts of a form with at most one file. Each is read once the previous one is consumed. @throws BAD_USER_INPUT */
export async function* parseParts(
  request: FastifyRequest,
  { fieldSize, fields }: FieldLimits,
): AsyncGenerator<Field | MultipartFile> {
  const limits = { fileSize: PICTURE_BYTES, files: fields + 1, fields, fieldSize, parts: fields + 2 };
  const parts = await whileOpen(request, async () =>
    request.parts({ limits, isPartAFile })[Symbol.asyncIterator](),
  );
  let hasFile = false;
  for (;;) {
    const { value: part, done } = await whileOpen(request, () => parts.next());
    if (done) return;
    const { fieldname } = part;
    if (part.type === "field") {
      if (part.valueTruncated) throw tooLong(fieldname);
      yield { type: "field", fieldname, value: String(part.value), isJson: false };
    } else if (isJson(part.mimetype) && part.filename === undefined) {
      const value = await whileOpen(request, () => readText(part, fieldSize));
      yield { type: "field", fieldname, value, isJson: true };
    } else if (hasFile) throw badInput("only one file is allowed");
    else {
      hasFile = true;
      yield part;
    }
  }
}

const tooLong = (fieldname: string) => badInput(`"${fieldname.slice(0, 100)}" is too long`);

async function readText({ fieldname, file }: MultipartFile, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of file as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw tooLong(fieldname);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The JSON in a field. @throws BAD_USER_INPUT */
export function parseField({ fieldname, value }: Field): unknown {
  if (hasTooManyValues(value)) throw badInput(`"${fieldname.slice(0, 100)}" has too many values`);
  try {
    return parse(value) as unknown;
  } catch (error) {
    throw new BlogError("BAD_USER_INPUT", `"${fieldname.slice(0, 100)}" is not valid JSON`, { cause: error });
  }
}

/** Milliseconds for the parser, at least, while it does not take the bytes of a form. */
const PARSING = 2_000;

const malformed = (cause?: unknown) =>
  new BlogError("BAD_USER_INPUT", "the form is not well formed", { cause });

/**
 * The parser would wait for ever for an aborted request, also for one that arrived whole but is not read yet, and for the end
 * of some malformed forms.
 * @throws BAD_USER_INPUT if it is aborted or malformed
 */
function whileOpen<T>({ raw }: FastifyRequest, read: () => Promise<T>): Promise<T> {
  const isAborted = () => !raw.readableEnded;
  const aborted = () => badInput("the request was cut");
  if (raw.destroyed && isAborted()) return Promise.reject(aborted());
  return new Promise<T>((resolve, reject) => {
    // The parser takes bytes as soon as they arrive, before any timer.
    const isUnread = () => raw.complete || raw.readableLength > 0;
    const onClose = () => void (isAborted() && reject(aborted()));
    raw.once("close", onClose);
    let isWaiting = false;
    const timer = setInterval(() => {
      if (isWaiting && isUnread()) reject(malformed());
      isWaiting = isUnread();
    }, PARSING);
    void read()
      .then(resolve, reject)
      .finally(() => {
        raw.off("close", onClose);
        clearInterval(timer);
      });
  });
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
  if (["FST_FIELDS_LIMIT", "FST_FILES_LIMIT", "FST_PARTS_LIMIT"].includes(error.code ?? ""))
    return badInput("too many fields");
  return malformed(error);
}
