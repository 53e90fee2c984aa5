import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompressSync, constants, createGzip, gzip, gzipSync } from "node:zlib";
import type { FastifyInstance, FastifyReply } from "fastify";
import { addVary } from "./vary.ts";

export type Encoding = "br" | "gzip";

export type AddForm = (encoding: Encoding) => void;
export type Compressible = { body: Buffer | null; compressed: Partial<Record<Encoding, Buffer>> };

/** Bytes. A smaller body fits into one packet anyway. */
export const MIN_COMPRESSED_BYTES = 1_400;

/** Bytes that gzip compresses synchronously, in about 2 ms. */
const QUICK_TO_COMPRESS = 64 * 1024;

/** Bytes beyond which a response is compressed by gzip only, which every client with Brotli has too, and cached in that form only. */
const LARGE = 128 * 1024;

const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
const encoders: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, { params }),
  gzip: (body) => promisify(gzip)(body),
};

/** Compressions at a time: one of large bodies, and of the others two, since the same threads hash passwords and read files. */
const MAX_RUNNING = { large: 1, small: 2 };
const MAX_COMPRESSED_BYTES = 4 * 1024 * 1024;
const running = { large: 0, small: 0 };

/** @returns null if one of the limits is reached */
async function encode(body: Buffer, encoding: Encoding): Promise<Buffer | null> {
  const size = body.length > QUICK_TO_COMPRESS ? "large" : "small";
  if (running[size] >= MAX_RUNNING[size] || body.length > MAX_COMPRESSED_BYTES) return null;
  running[size]++;
  try {
    // A copy, since zlib returns a part of a larger buffer.
    return Buffer.from(await encoders[encoding](body));
  } finally {
    running[size]--;
  }
}

type Compressed = { body: Buffer; compressed: Compressible["compressed"]; etag?: string };

const compressedOf = new WeakMap<IncomingMessage, Compressed>();

/** Compressed forms of bodies that are sent again, such as the OpenAPI document. */
const formsOf = new WeakMap<Buffer, Compressible["compressed"]>();

/** The response to a request before compression, and its compressed form. */
export const findCompressed = (request: IncomingMessage) => compressedOf.get(request);

/** @returns the compressed body, or null if the client accepts none; records both for `findCompressed` */
export async function compressFor(
  request: IncomingMessage,
  body: Buffer,
  etag?: string,
): Promise<{ bytes: Buffer; encoding: Encoding } | null> {
  const encoding = encodingOf({ body, compressed: {} }, request);
  if (!encoding) return null;
  const forms = formsOf.get(body) ?? {};
  const bytes = forms[encoding] ?? (await encode(body, encoding));
  if (!bytes) return null;
  formsOf.set(body, { ...forms, [encoding]: bytes });
  compressedOf.set(request, { body, compressed: { [encoding]: bytes }, ...(etag && { etag }) });
  return { bytes, encoding };
}

const named = (encoding: Encoding) =>
  new RegExp(`(^|[\\s,])${encoding}\\s*(,|$|;\\s*q=(?!0(\\.0*)?\\s*(,|$)))`, "i");
const BR = named("br");
const GZIP = named("gzip");

/** Prefers Brotli to gzip whatever the client's weights; `q=0` excludes an encoding. */
function encodingFor({ headers }: IncomingMessage): Encoding | null {
  const header = String(headers["accept-encoding"] ?? "");
  if (BR.test(header)) return "br";
  return GZIP.test(header) ? "gzip" : null;
}

const largeEncodingFor = ({ headers }: IncomingMessage): "gzip" | null =>
  GZIP.test(String(headers["accept-encoding"] ?? "")) ? "gzip" : null;

const isLarge = (body: Buffer) => body.length > LARGE;

export const isGzipOnly = ({ body, compressed }: Compressible) => body === null && !compressed.br;

export const encodingOf = (response: Compressible, request: IncomingMessage) =>
  isGzipOnly(response) || (response.body && isLarge(response.body))
    ? largeEncodingFor(request)
    : encodingFor(request);

const STREAM_LEVEL = 3;

/** Compresses a stream for a visitor, as compressResponses does with other responses. */
export function compressStream(source: Readable, reply: FastifyReply): Readable {
  const { headers } = reply.request;
  if (headers.authorization !== undefined) return source;
  reply.header("vary", addVary(reply.getHeader("vary"), "Accept-Encoding"));
  if (!largeEncodingFor(reply.request.raw)) return source;
  reply.header("content-encoding", "gzip");
  source.once("error", () => {
    // The response to an error of the first read is not compressed.
    reply.removeHeader("content-encoding");
    if (!reply.raw.headersSent) reply.raw.removeHeader("content-encoding");
  });
  return pipeline(source, createGzip({ level: STREAM_LEVEL }), () => undefined);
}

/** Adds a compressed form to a cached response if that is worth it. */
export async function compress(response: Compressible, encoding: Encoding): Promise<void> {
  const { compressed } = response;
  const body = compressed[encoding] ? null : bodyOf(response);
  if (!body || body.length < MIN_COMPRESSED_BYTES) return;
  const form = isLarge(body) ? "gzip" : encoding;
  const bytes = await encode(body, form).catch(() => null);
  if (bytes) compressed[form] = bytes;
  compact(response);
}

/** Gzips small bodies synchronously, since few clients lack Brotli. @param add is called for a missing form @returns undefined if not available yet */
export function compressedForm(
  { body, compressed }: Compressible,
  encoding: Encoding,
  add: AddForm,
): Buffer | undefined {
  if (compressed[encoding] || (body && body.length < MIN_COMPRESSED_BYTES)) return compressed[encoding];
  if (encoding === "gzip" && body && body.length <= QUICK_TO_COMPRESS)
    compressed.gzip = Buffer.from(gzipSync(body));
  add(encoding);
  return compressed[encoding];
}

/** Drops a body that is not small if it has been compressed: a cache has room for more responses. */
export function compact(response: Compressible): void {
  const { body, compressed } = response;
  if (!body || body.length <= QUICK_TO_COMPRESS) return;
  if (isLarge(body) ? compressed.gzip : compressed.br) response.body = null;
}

/** @returns null for a large one that was compressed, and for a stream */
export function bodyOf({ body, compressed }: Compressible): Buffer | null {
  if (body || !compressed.br) return body;
  const whole = brotliDecompressSync(compressed.br);
  formsOf.set(whole, compressed);
  return whole;
}

export const opaqueTag = (etag: string) => (etag.startsWith("W/") ? etag.slice(2) : etag);

/** Adds Vary, Content-Encoding, and a weak ETag that stands for all compressed forms. */
export function headersOf(headers: Record<string, string>, bytes: number, encoding: Encoding | null) {
  if (bytes < MIN_COMPRESSED_BYTES) return headers;
  const vary = addVary(headers["vary"], "Accept-Encoding");
  if (!encoding) return { ...headers, vary };
  const etag = headers["etag"] && { etag: `W/${opaqueTag(headers["etag"])}` };
  return { ...headers, vary, ...etag, "content-encoding": encoding };
}

const bufferOf = (payload: string | Buffer) => (typeof payload === "string" ? Buffer.from(payload) : payload);

/** Pictures are compressed already, and a part of one must not change. */
const isText = (type: unknown) => /^text\/|json|xml|javascript/.test(String(type));

/** Leaves authenticated responses uncompressed: their length would reveal secrets (BREACH). */
export function compressResponses(app: FastifyInstance): void {
  // Async, so that Fastify handles a rejection.
  app.addHook<unknown>("onSend", async ({ raw }, reply, payload) => {
    const etag = reply.getHeader("etag") as string | undefined;
    const vary = reply.getHeader("vary") as string | undefined;
    const isWhole = typeof payload === "string" || Buffer.isBuffer(payload);
    const isCompressed = reply.hasHeader("content-encoding");
    if (!isWhole || !etag || isCompressed || raw.headers.authorization !== undefined) return payload;
    if (!isText(reply.getHeader("content-type"))) return payload;
    const bytes = Buffer.byteLength(payload);
    const compressed = bytes < MIN_COMPRESSED_BYTES ? null : await compressFor(raw, bufferOf(payload), etag);
    reply.headers(headersOf({ etag, ...(vary && { vary }) }, bytes, compressed?.encoding ?? null));
    return compressed?.bytes ?? payload;
  });
}
