import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { FastifyInstance } from "fastify";
import type { Answer } from "../answers.ts";

/** Below that a packet is a packet. */
export const WORTH_COMPRESSING = 1_400;

const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
const squeeze = (body: Buffer) => promisify(brotliCompress)(body, { params });

type Squeezed = { body: Buffer; brotli: Buffer; etag?: string };

const squeezed = new WeakMap<IncomingMessage, Squeezed>();

/** What the answer to a request was before it was compressed, and what became of it. */
export const squeezedOf = (request: IncomingMessage) => squeezed.get(request);

/** @returns the body compressed, where its caller takes that; remembered together with what it was */
export async function squeezeFor(
  request: IncomingMessage,
  body: Buffer,
  etag?: string,
): Promise<Buffer | null> {
  if (!takesBrotli(request)) return null;
  const brotli = await squeeze(body);
  squeezed.set(request, { body, brotli, ...(etag && { etag }) });
  return brotli;
}

/** Whether it may be sent compressed by brotli; `q=0` says that it may not. */
export const takesBrotli = ({ headers }: IncomingMessage) =>
  /(^|[\s,])br\s*(,|$|;\s*q=(?!0(\.0*)?\s*(,|$)))/i.test(String(headers["accept-encoding"] ?? ""));

/** Adds to a kept answer what it is in fewer bytes, where that is worth it. */
export async function compress(answer: Answer): Promise<void> {
  if (answer.body.length < WORTH_COMPRESSING) return;
  answer.brotli = await squeeze(answer.body).catch(() => undefined);
}

/** What depends on how it is compressed; one weak ETag then stands for both. */
export function headersOf(headers: Record<string, string>, bytes: number, isCompressed: boolean) {
  if (bytes < WORTH_COMPRESSING) return headers;
  const others = headers["vary"]?.split(/,\s*/).filter((name) => !/^accept-encoding$/i.test(name)) ?? [];
  const vary = [...others, "Accept-Encoding"].join(", ");
  if (!isCompressed) return { ...headers, vary };
  const etag = headers["etag"] && { etag: `W/${headers["etag"]}` };
  return { ...headers, vary, ...etag, "content-encoding": "br" };
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
    const isCompressed = bytes >= WORTH_COMPRESSING && takesBrotli(raw);
    reply.headers(headersOf({ etag, ...(vary && { vary }) }, bytes, isCompressed));
    return isCompressed ? squeezeFor(raw, Buffer.from(payload), etag) : payload;
  });
}
