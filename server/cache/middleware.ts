import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { CachedResponse, ResponseCache, DependencyTracker } from "./cached-response.ts";
import { kindOf, type AddressKind } from "../http/addresses.ts";
import type { Call, Handler, Middleware } from "../http/middleware.ts";
import {
  compress,
  compressedForm,
  encodingFor,
  findCompressed,
  headersOf,
  type Encoding,
} from "../http/compression.ts";
import { hundredths, type LogEntry, type LogRequest } from "../http/access-log.ts";

/** Headers that differ per response, per connection or per encoding. */
const transientHeaders = new Set([
  ...["x-request-id", "date", "connection", "keep-alive"],
  ...["content-length", "content-encoding"],
]);

/** Neither files nor the state of this process. */
const cachedKinds: readonly AddressKind[] = ["page", "api", "graphql"];

const isPublic = ({ headers, url = "/" }: IncomingMessage) =>
  headers.authorization === undefined && headers.cookie === undefined && cachedKinds.includes(kindOf(url));

/** GraphQL answers HEAD with 405. */
const isHead = ({ method, url = "/" }: IncomingMessage) => method === "HEAD" && kindOf(url) !== "graphql";

/** Fastify handles a GET with a body. */
const hasBody = ({ headers }: IncomingMessage) =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;

/** Everything a response may depend on. An empty header differs from a missing one; HEAD has the headers of GET. */
const keyOf = ({ method, url, headers }: IncomingMessage, body: string) => {
  const wantsCost = Boolean(headers["x-graphql-cost"]);
  // Apollo's CSRF prevention: these headers prove that a GET is not a form of another site.
  const isOurs = Boolean(headers["apollo-require-preflight"] || headers["x-apollo-operation-name"]);
  const varying = `${headers.accept ?? "\0"}\n${headers["content-type"] ?? "\0"}\n${wantsCost}${isOurs}`;
  return `${method === "HEAD" ? "GET" : method} ${url}\n${varying}\n${body}`;
};

/** Calls `use` when the response ends: uncompressed if it succeeded and was sent in one piece, else with null. */
function onResponse(
  request: IncomingMessage,
  response: ServerResponse,
  use: (answer: Omit<CachedResponse, "route" | "heads"> | null) => void,
): void {
  const { writeHead, end } = response;
  let headers: Record<string, string> = {};
  response.writeHead = function (this: ServerResponse, status: number, ...rest: unknown[]) {
    // Includes the headers that helmet set on the response, or a cached page would be less protected.
    headers = lowercase({ ...response.getHeaders(), ...recordOf(rest.at(-1)) } as Record<string, string>);
    return Reflect.apply(writeHead, this, [status, ...rest]) as ServerResponse;
  } as typeof writeHead;
  response.end = function (this: ServerResponse, ...words: unknown[]) {
    const sent = Buffer.from(typeof words[0] === "string" || Buffer.isBuffer(words[0]) ? words[0] : "");
    const { body, compressed, ...own } = findCompressed(request) ?? { body: sent, compressed: {} };
    const isWhole = Number(headers["content-length"]) === sent.length && sent.length > 0;
    const isGood = response.statusCode === 200 && isWhole && !hasErrors(body);
    use(isGood ? { headers: { ...withoutTransient(headers), ...own }, body, compressed } : null);
    return Reflect.apply(end, this, words) as ServerResponse;
  } as typeof end;
}

/** Headers as an object, or as alternating names and values. */
function recordOf(head: unknown): object {
  if (!Array.isArray(head)) return head as object;
  const pairs = head.flatMap((name, index) => (index % 2 === 0 ? [[name, head[index + 1]]] : []));
  return Object.fromEntries(pairs) as object;
}

const lowercase = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const withoutTransient = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !transientHeaders.has(name)));

/** A failed GraphQL response, whatever its status: `errors` comes first. */
const hasErrors = (body: Buffer) => body.subarray(0, 10).toString("latin1") === '{"errors":';

/** Alternating names and values, which Node writes fastest; built once per form. */
function headOf(answer: CachedResponse, sent: Buffer, encoding: Encoding | null): string[] {
  const make = () => ({
    ...headersOf(answer.headers, answer.body.length, encoding),
    "content-length": `${sent.length}`,
  });
  return (answer.heads[encoding ?? "plain"] ??= Object.entries(make()).flat());
}

function sendCached(answer: CachedResponse, request: IncomingMessage, response: ServerResponse): LogEntry {
  const began = performance.now();
  const { body, route } = answer;
  const reqId = randomUUID();
  const etag = answer.headers["etag"];
  const isKnown = etag !== undefined && (request.headers["if-none-match"] ?? "").includes(etag);
  const accepted = encodingFor(request);
  const bytes = accepted ? compressedForm(answer, accepted) : undefined;
  const encoding = bytes ? accepted : null;
  const status = isKnown ? 304 : 200;
  const head = isKnown
    ? Object.entries(headersOf(answer.headers, body.length, encoding)).flat()
    : headOf(answer, bytes ?? body, encoding);
  response.writeHead(status, [...head, "x-request-id", reqId]);
  response.end(isKnown ? undefined : (bytes ?? body));
  const milliseconds = hundredths(performance.now() - began);
  return { reqId, method: request.method ?? "GET", route, status, milliseconds, kept: true };
}

type Options = {
  answers: ResponseCache | null;
  note: LogRequest;
  /** If set, responses depend on the Origin header. */
  corsOrigins: string[] | null;
  isDraining: () => boolean;
};

/** Serves cached responses to visitors before Fastify. Other requests pass, and their responses may be cached. */
export function openResponseCacheMiddleware({ answers, note, corsOrigins, isDraining }: Options) {
  const trackers = new WeakMap<IncomingMessage, DependencyTracker>();

  function passAndStore(cache: ResponseCache, key: string, call: Call, next: Handler): void {
    const { request, response } = call;
    const tracker = cache.begin();
    trackers.set(request, tracker);
    response.once("close", () => cache.end(tracker));
    onResponse(request, response, (sent) => {
      const answer = sent && { ...sent, heads: {}, route: tracker.route };
      if (answer && cache.store(key, answer, tracker)) void compress(answer, "br");
      cache.end(tracker);
    });
    next(call);
  }

  function serve(cache: ResponseCache, body: string, call: Call, next: Handler): void {
    const { request, response } = call;
    const key = keyOf(request, body);
    const found = cache.find(key);
    if (found) note(sendCached(found, request, response));
    else if (request.method === "HEAD") next(call);
    else passAndStore(cache, key, call, next);
  }

  const before: Middleware = (next) => (call) => {
    const { request } = call;
    const dependsOnOrigin = corsOrigins !== null && request.headers.origin !== undefined;
    const isCacheable = answers && !isDraining() && !dependsOnOrigin && isPublic(request);
    const body = isCacheable ? bodyOf(call) : null;
    if (!answers || body === null) next(call);
    else serve(answers, body, call, next);
  };
  return {
    before,
    readingOf: (request: IncomingMessage) => trackers.get(request),
  };
}

/** The body as a part of the key: empty for GET and HEAD, null if it is not buffered. */
function bodyOf({ request, text }: Call): string | null {
  if (request.method !== "GET" && !isHead(request)) return text;
  return hasBody(request) ? null : "";
}
