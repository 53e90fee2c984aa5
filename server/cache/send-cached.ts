import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { CachedResponse } from "./cached-response.ts";
import {
  compressedForm,
  encodingFor,
  headersOf,
  opaqueTag,
  streamEncodingFor,
  type Encoding,
} from "../http/compression.ts";
import { roundToHundredths, type LogEntry } from "../http/access-log.ts";

/** @param ifNoneMatch the header of that name */
export const isMatch = ({ headers }: Pick<CachedResponse, "headers">, ifNoneMatch = "") =>
  headers["etag"] !== undefined && ifNoneMatch.includes(opaqueTag(headers["etag"]));

const isUnchanged = (cached: CachedResponse, request: IncomingMessage) =>
  isMatch(cached, request.headers["if-none-match"]);

/** Whether the cached response answers a request: of a streamed list only the gzipped form may be cached. */
export const isSendable = (cached: CachedResponse, request: IncomingMessage): boolean =>
  cached.body !== null ||
  request.method === "HEAD" ||
  isUnchanged(cached, request) ||
  (streamEncodingFor(request) !== null && cached.compressed.gzip !== undefined);

export function sendCached(
  cached: CachedResponse,
  request: IncomingMessage,
  response: ServerResponse,
): LogEntry {
  const began = performance.now();
  const { route } = cached;
  const reqId = randomUUID();
  const { bytes, encoding } = formFor(cached, request);
  const status = isUnchanged(cached, request) ? 304 : 200;
  const head =
    status === 304
      ? Object.entries(variantHeaders(cached, encoding)).flat()
      : headOf(cached, bytes, encoding);
  response.writeHead(status, [...head, "x-request-id", reqId]);
  response.end(status === 304 ? undefined : bytes);
  const milliseconds = roundToHundredths(performance.now() - began);
  return { reqId, method: request.method ?? "GET", route, status, milliseconds, cached: true };
}

type Form = { bytes: Buffer | undefined; encoding: Encoding | null };

function formFor(cached: CachedResponse, request: IncomingMessage): Form {
  const { body, compressed } = cached;
  if (body === null) return { bytes: compressed.gzip, encoding: streamEncodingFor(request) };
  const encoding = encodingFor(request);
  const bytes = encoding ? compressedForm(cached, encoding) : undefined;
  return bytes ? { bytes, encoding } : { bytes: body, encoding: null };
}

const variantHeaders = ({ headers, body }: CachedResponse, encoding: Encoding | null) =>
  headersOf(headers, body?.length ?? Infinity, encoding);

/** Alternating names and values, which Node writes fastest; built once per form. */
function headOf(cached: CachedResponse, bytes: Buffer | undefined, encoding: Encoding | null): string[] {
  const make = () => ({
    ...variantHeaders(cached, encoding),
    ...(bytes && { "content-length": `${bytes.length}` }),
  });
  return (cached.heads[encoding ?? "plain"] ??= Object.entries(make()).flat());
}
