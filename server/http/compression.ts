import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip, gzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { addVary } from "./vary.ts";

/** How an answer may be compressed, as Accept-Encoding names it. */
export type Encoding = "br" | "gzip";

/** A finished answer, and its compressed forms as soon as they are made. */
type Compressible = { body: Buffer; compressed: Partial<Record<Encoding, Buffer>> };

/** Below that a packet is a packet. */
export const WORTH_COMPRESSING = 1_400;

/** Bytes that are compressed by gzip at once, in about 2 ms. */
const QUICK_TO_GZIP = 64 * 1024;

const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
const encoders: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, { params }),
  gzip: (body) => promisify(gzip)(body),
};

/** Bytes that are being compressed at the same time; beyond them answers are sent as they are. */
const MOST_AT_ONCE = 4 * 1024 * 1024;
let underWay = 0;

/** @returns null when there is too much to be compressed already */
async function encode(body: Buffer, encoding: Encoding): Promise<Buffer | null> {
  if (underWay + body.length > MOST_AT_ONCE) return null;
  underWay += body.length;
  try {
    return await encoders[encoding](body);
  } finally {
    underWay -= body.length;
  }
}

type Compressed = { body: Buffer; compressed: Compressible["compressed"]; etag?: string };

const compressedOf = new WeakMap<IncomingMessage, Compressed>();

/** What the answer to a request was before it was compressed, and what became of it. */
export const findCompressed = (request: IncomingMessage) => compressedOf.get(request);

/** @returns the body compressed, where its caller takes that; remembered together with what it was */
export async function compressFor(
  request: IncomingMessage,
  body: Buffer,
  etag?: string,
): Promise<{ bytes: Buffer; encoding: Encoding } | null> {
  const encoding = encodingFor(request);
  if (!encoding) return null;
  const bytes = await encode(body, encoding);
  if (!bytes) return null;
  compressedOf.set(request, { body, compressed: { [encoding]: bytes }, ...(etag && { etag }) });
  return { bytes, encoding };
}

const named = (encoding: Encoding) =>
  new RegExp(`(^|[\\s,])${encoding}\\s*(,|$|;\\s*q=(?!0(\\.0*)?\\s*(,|$)))`, "i");
const BR = named("br");
const GZIP = named("gzip");

/** The encoding a caller is answered in: Brotli before gzip, whatever the caller prefers; `q=0` excludes one. */
export function encodingFor({ headers }: IncomingMessage): Encoding | null {
  const header = String(headers["accept-encoding"] ?? "");
  if (BR.test(header)) return "br";
  return GZIP.test(header) ? "gzip" : null;
}

/** Adds to a kept answer what it is in fewer bytes, where that is worth it. */
export async function compress(answer: Compressible, encoding: Encoding): Promise<void> {
  const { body, compressed } = answer;
  if (body.length < WORTH_COMPRESSING || compressed[encoding]) return;
  const bytes = await encode(body, encoding).catch(() => null);
  if (bytes) compressed[encoding] = bytes;
}

/** A kept answer in an encoding: by gzip it may be compressed here, since few callers know nothing better. */
export function compressedForm(answer: Compressible, encoding: Encoding): Buffer | undefined {
  const { body, compressed } = answer;
  if (compressed[encoding] || encoding === "br" || body.length < WORTH_COMPRESSING)
    return compressed[encoding];
  if (body.length <= QUICK_TO_GZIP) return (compressed.gzip = gzipSync(body));
  void compress(answer, encoding);
  return undefined;
}

/** What depends on how it is compressed; one weak ETag then stands for all forms. */
export function headersOf(headers: Record<string, string>, bytes: number, encoding: Encoding | null) {
  if (bytes < WORTH_COMPRESSING) return headers;
  const vary = addVary(headers["vary"], "Accept-Encoding");
  if (!encoding) return { ...headers, vary };
  const etag = headers["etag"] && { etag: `W/${headers["etag"]}` };
  return { ...headers, vary, ...etag, "content-encoding": encoding };
}

/**
 * Compresses what is public and comes in one piece, also what nobody asked before: on a slow line that is
 * quicker than its bytes. Answers to one person stay as they are, or their length would tell of their secrets.
 */
export function compressAnswers(app: FastifyInstance): void {
  // Async: what is thrown behind a promise would have nobody to catch it.
  app.addHook<unknown>("onSend", async ({ raw }, reply, payload) => {
    const etag = reply.getHeader("etag") as string | undefined;
    const vary = reply.getHeader("vary") as string | undefined;
    const isWhole = typeof payload === "string" || Buffer.isBuffer(payload);
    if (!isWhole || !etag || raw.headers.authorization !== undefined) return payload;
    const bytes = Buffer.byteLength(payload);
    const compressed = bytes < WORTH_COMPRESSING ? null : await compressFor(raw, Buffer.from(payload), etag);
    reply.headers(headersOf({ etag, ...(vary && { vary }) }, bytes, compressed?.encoding ?? null));
    return compressed?.bytes ?? payload;
  });
}
