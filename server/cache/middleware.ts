import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { CachedResponse, ResponseCache, DependencyTracker } from "./cached-response.ts";
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

/** What is sent anew with each answer, belongs to one connection, or depends on how it is compressed. */
const passing = new Set([
  ...["x-request-id", "date", "connection", "keep-alive"],
  ...["content-length", "content-encoding"],
]);

/** Addresses that are files or tell of this process: nothing there is made from the blog's rows. */
const isElsewhere = /^\/(assets|media|health|ready|metrics)\b/;

const isPublic = ({ headers, url = "/" }: IncomingMessage) =>
  headers.authorization === undefined && headers.cookie === undefined && !isElsewhere.test(url);

/** What belongs to no GET; the application knows what to do with it. */
const hasBody = ({ headers }: IncomingMessage) =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;

/** Everything of a request that its answer may depend on; a header that is empty is not one that is missing. */
const keyOf = ({ method, url, headers }: IncomingMessage, body: string) => {
  const wantsCost = Boolean(headers["x-graphql-cost"]);
  // By these a query by GET shows that it is no form of another site.
  const isOurs = Boolean(headers["apollo-require-preflight"] || headers["x-apollo-operation-name"]);
  const said = `${headers.accept ?? "\0"}\n${headers["content-type"] ?? "\0"}\n${wantsCost}${isOurs}`;
  return `${method} ${url}\n${said}\n${body}`;
};

/**
 * Calls back once all is said: with an answer that was sent in one piece and was a success, as it was before
 * it was compressed; else with null.
 */
function onAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  use: (answer: Omit<CachedResponse, "route" | "heads"> | null) => void,
): void {
  const { writeHead, end } = response;
  let headers: Record<string, string> = {};
  response.writeHead = function (this: ServerResponse, status: number, ...rest: unknown[]) {
    // Those of helmet were set on the answer itself before: without them a kept page would be less guarded.
    headers = lowercase({ ...response.getHeaders(), ...recordOf(rest.at(-1)) } as Record<string, string>);
    return Reflect.apply(writeHead, this, [status, ...rest]) as ServerResponse;
  } as typeof writeHead;
  response.end = function (this: ServerResponse, ...words: unknown[]) {
    const sent = Buffer.from(typeof words[0] === "string" || Buffer.isBuffer(words[0]) ? words[0] : "");
    const { body, compressed, ...own } = findCompressed(request) ?? { body: sent, compressed: {} };
    const isWhole = Number(headers["content-length"]) === sent.length && sent.length > 0;
    const isGood = response.statusCode === 200 && isWhole && !tellsErrors(body);
    use(isGood ? { headers: { ...lasting(headers), ...own }, body, compressed } : null);
    return Reflect.apply(end, this, words) as ServerResponse;
  } as typeof end;
}

/** A head as an object, or as names and values in turn. */
function recordOf(head: unknown): object {
  if (!Array.isArray(head)) return head as object;
  const pairs = head.flatMap((name, index) => (index % 2 === 0 ? [[name, head[index + 1]]] : []));
  return Object.fromEntries(pairs) as object;
}

const lowercase = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const lasting = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !passing.has(name)));

/** An answer of GraphQL that did not succeed, whatever its status: errors stand first. */
const tellsErrors = (body: Buffer) => body.subarray(0, 10).toString("latin1") === '{"errors":';

/** Names and values in turn, as Node writes them fastest; made once. */
function headOf(answer: CachedResponse, sent: Buffer, encoding: Encoding | null): string[] {
  const make = () => ({
    ...headersOf(answer.headers, answer.body.length, encoding),
    "content-length": `${sent.length}`,
  });
  return (answer.heads[encoding ?? "plain"] ??= Object.entries(make()).flat());
}

function sendAgain(answer: CachedResponse, request: IncomingMessage, response: ServerResponse): LogEntry {
  const began = performance.now();
  const { body, route } = answer;
  const reqId = randomUUID();
  const etag = answer.headers["etag"];
  const isKnown = etag !== undefined && (request.headers["if-none-match"] ?? "").includes(etag);
  const wanted = encodingFor(request);
  const bytes = wanted ? compressedForm(answer, wanted) : undefined;
  const encoding = bytes ? wanted : null;
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
  /** Null: everything goes through. */
  answers: ResponseCache | null;
  note: LogRequest;
  /** Set: answers depend on who asks from where. */
  corsOrigins: string[] | null;
  isDraining: () => boolean;
};

/**
 * Stands before the whole application: what a visitor asked before and nothing has changed since is answered
 * again without it; everything else goes through, and its answer may be kept.
 */
export function openResponseCacheMiddleware({ answers, note, corsOrigins, isDraining }: Options) {
  const readings = new WeakMap<IncomingMessage, DependencyTracker>();

  function pass(kept: ResponseCache, key: string, call: Call, next: Handler): void {
    const { request, response } = call;
    const reading = kept.begin();
    readings.set(request, reading);
    response.once("close", () => kept.end(reading));
    onAnswer(request, response, (sent) => {
      const answer = sent && { ...sent, heads: {}, route: reading.route };
      if (answer && kept.store(key, answer, reading)) void compress(answer, "br");
      kept.end(reading);
    });
    next(call);
  }

  function serve(kept: ResponseCache, question: string, call: Call, next: Handler): void {
    const { request, response } = call;
    const key = keyOf(request, question);
    const found = kept.find(key);
    if (!found) return pass(kept, key, call, next);
    note(sendAgain(found, request, response));
  }

  const before: Middleware = (next) => (call) => {
    const { request } = call;
    const hasOwn = corsOrigins !== null && request.headers.origin !== undefined;
    const isKept = answers && !isDraining() && !hasOwn && isPublic(request);
    const question = isKept ? questionOf(call) : null;
    if (!answers || question === null) next(call);
    else serve(answers, question, call, next);
  };
  return {
    before,
    /** What an answer is being read from, where it may be kept. */
    readingOf: (request: IncomingMessage) => readings.get(request),
  };
}

/** What a visitor asks in so many words: null where that cannot be told before the application is asked. */
function questionOf({ request, text }: Call): string | null {
  if (request.method !== "GET") return text;
  return hasBody(request) ? null : "";
}
