import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { CachedResponse } from "./cached-response.ts";
import {
  bodyOf,
  compressedForm,
  encodingOf,
  headersOf,
  isGzipOnly,
  opaqueTag,
  type AddForm,
  type Encoding,
} from "../http/compression.ts";
import { roundToHundredths, type LogEntry } from "../http/access-log.ts";

/** @param ifNoneMatch the header of that name */
export const isMatch = ({ headers }: Pick<CachedResponse, "headers">, ifNoneMatch = "") =>
  headers["etag"] !== undefined && ifNoneMatch.includes(opaqueTag(headers["etag"]));

const isUnchanged = (cached: CachedResponse, request: IncomingMessage) =>
  isMatch(cached, request.headers["if-none-match"]);

/** Whether the cached response answers a request. */
export const isSendable = (cached: CachedResponse, request: IncomingMessage): boolean =>
  !isGzipOnly(cached) ||
  request.method === "HEAD" ||
  isUnchanged(cached, request) ||
  (encodingOf(cached, request) !== null && cached.compressed.gzip !== undefined);

export function sendCached(
  cached: CachedResponse,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  addForm: AddForm,
): LogEntry {
  const began = performance.now();
  const { route } = cached;
  const reqId = randomUUID();
  const status = isUnchanged(cached, request) ? 304 : 200;
  if (status === 304) {
    const head = Object.entries(variantHeaders(cached, encodingOf(cached, request))).flat();
    response.writeHead(304, [...head, "x-request-id", reqId]).end();
  } else {
    const { bytes, encoding } = formFor(cached, request, addForm);
    response.writeHead(200, [...headOf(cached, bytes, encoding), "x-request-id", reqId]).end(bytes);
  }
  const milliseconds = roundToHundredths(performance.now() - began);
  return { reqId, method: request.method ?? "GET", route, status, milliseconds, cached: true };
}

type Form = { bytes: Buffer | undefined; encoding: Encoding | null };

function formFor(cached: CachedResponse, request: IncomingMessage, addForm: AddForm): Form {
  const encoding = encodingOf(cached, request);
  if (isGzipOnly(cached)) return { bytes: encoding ? cached.compressed.gzip : undefined, encoding };
  const bytes = encoding ? compressedForm(cached, encoding, addForm) : undefined;
  return bytes ? { bytes, encoding } : { bytes: bodyOf(cached) ?? undefined, encoding: null };
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
