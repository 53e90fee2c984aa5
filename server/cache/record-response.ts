import type { IncomingMessage, ServerResponse } from "node:http";
import type { CachedResponse } from "./cached-response.ts";
import { findCompressed } from "../http/compression.ts";
import { isMatch } from "./send-cached.ts";

const transientHeaders = new Set([
  ...["x-request-id", "date", "connection", "keep-alive"],
  ...["content-length", "content-encoding"],
]);

/** Bytes of streamed responses that are recorded at once. */
const MAX_RECORDED = 8 * 1024 * 1024;
let recorded = 0;

export type RecordedResponse = Omit<CachedResponse, "route" | "heads">;

type Use = {
  /** The ETag of a response that is streamed; null if it is not to be recorded. */
  etagOfStream: () => string | null;
  /** Further headers of a response that a CDN may store, in its record too. */
  share?: ((headers: Record<string, string>) => Record<string, string> | null) | null;
  end: (recorded: RecordedResponse | null) => void;
};

/**
 * Records a successful response: uncompressed, or the gzipped form of one that is streamed. The application does not see the
 * condition of the request, so that there is a response to record also if the client has it, which then gets 304.
 */
export function recordResponse(request: IncomingMessage, response: ServerResponse, use: Use): void {
  const { writeHead, write, end } = response;
  const condition = request.headers["if-none-match"];
  delete request.headers["if-none-match"];
  let headers: Record<string, string> = {};
  let pendingHead: unknown[] | null = null;
  let hasBegun = false;
  let stream: ReturnType<typeof openRecording> | null = null;
  const sendHead = (further: object | null) => {
    if (!pendingHead) return;
    const head = further ? [pendingHead[0], { ...headers, ...further }] : pendingHead;
    pendingHead = null;
    Reflect.apply(writeHead, response, head);
  };
  response.writeHead = function (this: ServerResponse, status: number, ...rest: unknown[]) {
    // Includes the headers that helmet set on the response, or a cached page would be less protected.
    headers = lowercase({ ...response.getHeaders(), ...recordOf(rest.at(-1)) } as Record<string, string>);
    const isStream = status === 200 && headers["content-length"] === undefined;
    const etag = isStream ? use.etagOfStream() : null;
    if (etag !== null) {
      headers["etag"] = etag;
      this.setHeader("etag", etag);
      stream = openRecording(headers["content-encoding"] === "gzip");
      this.once("close", stream.drop);
    }
    if ((use.share || condition) && !isStream && !hasBegun && status === 200) {
      // The body, which follows at once, decides whether a CDN may store the response, and whether it is sent.
      this.statusCode = status;
      pendingHead = [status, ...rest];
      return this;
    }
    return Reflect.apply(writeHead, this, [status, ...rest]) as ServerResponse;
  } as typeof writeHead;
  response.write = function (this: ServerResponse, ...args: unknown[]) {
    sendHead(null);
    // The original method may write the head itself, which must precede the first bytes.
    hasBegun = true;
    const isFlushed = Reflect.apply(write, this, args) as boolean;
    stream?.add(args[0]);
    return isFlushed;
  } as typeof write;
  response.end = function (this: ServerResponse, ...args: unknown[]) {
    hasBegun = true;
    const record = stream
      ? { headers: withoutTransient(headers), body: null, compressed: stream.take() }
      : bufferedResponse(request, response, headers, args[0]);
    const shared = (pendingHead && record && use.share?.(headers)) || null;
    if (record) Object.assign(record.headers, shared);
    use.end(record);
    if (pendingHead && record && isMatch(record, condition)) {
      Reflect.apply(writeHead, this, [304, withRequestId(record.headers, headers)]);
      return Reflect.apply(end, this, []) as ServerResponse;
    }
    sendHead(shared);
    return Reflect.apply(end, this, args) as ServerResponse;
  } as typeof end;
}

const withRequestId = (headers: Record<string, string>, { "x-request-id": id }: Record<string, string>) =>
  id === undefined ? headers : { ...headers, "x-request-id": id };

function bufferedResponse(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Record<string, string>,
  payload: unknown,
): RecordedResponse | null {
  const sent = Buffer.from(typeof payload === "string" || Buffer.isBuffer(payload) ? payload : "");
  const { body, compressed, ...own } = findCompressed(request) ?? { body: sent, compressed: {} };
  const isWhole = Number(headers["content-length"]) === sent.length && sent.length > 0;
  const isGood = response.statusCode === 200 && isWhole && !hasErrors(body);
  return isGood ? { headers: { ...withoutTransient(headers), ...own }, body, compressed } : null;
}

/** @param isGzipped whether the chunks are worth keeping */
function openRecording(isGzipped: boolean) {
  let chunks: Buffer[] | null = isGzipped ? [] : null;
  let bytes = 0;
  const drop = () => {
    recorded -= bytes;
    [chunks, bytes] = [null, 0];
  };
  return {
    drop,
    add(chunk: unknown): void {
      if (!chunks) return;
      if (!Buffer.isBuffer(chunk) || recorded + chunk.length > MAX_RECORDED) return drop();
      chunks.push(chunk);
      bytes += chunk.length;
      recorded += chunk.length;
    },
    take(): CachedResponse["compressed"] {
      const compressed = chunks ? { gzip: Buffer.concat(chunks) } : {};
      drop();
      return compressed;
    },
  };
}

function recordOf(head: unknown): object {
  if (!Array.isArray(head)) return head as object;
  const pairs = head.flatMap((name, index) => (index % 2 === 0 ? [[name, head[index + 1]]] : []));
  return Object.fromEntries(pairs) as object;
}

const lowercase = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const withoutTransient = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !transientHeaders.has(name)));

/** A failed GraphQL response of any status: `errors` comes first. */
const hasErrors = (body: Buffer) => body.subarray(0, 10).toString("latin1") === '{"errors":';
