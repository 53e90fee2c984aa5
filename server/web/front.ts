import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { Answer, Answers, Reading } from "../answers.ts";
import { compress, headersOf, squeezedOf, takesBrotli } from "./compression.ts";
import type { Measure } from "./metrics.ts";

/** What is sent anew with each answer, belongs to one connection, or depends on how it is compressed. */
const passing = new Set([
  ...["x-request-id", "date", "connection", "keep-alive"],
  ...["content-length", "content-encoding"],
]);

const MAX_POST = 20 * 1024;

/** Addresses that are files or tell of this process: nothing there is made from the blog's rows. */
const isElsewhere = /^\/(assets|media|health|ready|metrics)\b/;

const isPublic = ({ headers, url = "/" }: IncomingMessage) =>
  headers.authorization === undefined && headers.cookie === undefined && !isElsewhere.test(url);

/** What belongs to no GET; the application knows what to do with it. */
const hasBody = ({ headers }: IncomingMessage) =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;

/** A POST that is worth reading here: a query as JSON, of a size that documents have. */
function isSmallPost({ method, url, headers }: IncomingMessage): boolean {
  const length = Number(headers["content-length"] ?? Infinity);
  const isJson = headers["content-type"]?.startsWith("application/json") ?? false;
  return method === "POST" && url === "/graphql" && isJson && length <= MAX_POST;
}

/** Everything of a request that its answer may depend on; a header that is empty is not one that is missing. */
const keyOf = ({ method, url, headers }: IncomingMessage, body: string) =>
  [
    method,
    url,
    headers.accept ?? "\0",
    headers["content-type"] ?? "\0",
    headers["x-graphql-cost"] === undefined,
    // By these a query by GET shows that it is no form of another site.
    Boolean(headers["apollo-require-preflight"] || headers["x-apollo-operation-name"]),
    body,
  ].join("\n");

/** Documents come with their head; whoever takes longer is left to the application and its limits. */
const PROMPT = 100;

/** @param onBody is given what has come, and whether that is all */
function readBody(request: IncomingMessage, onBody: (body: Buffer, isWhole: boolean) => void): void {
  const chunks: Buffer[] = [];
  const collect = (chunk: Buffer) => void chunks.push(chunk);
  const finish = (isWhole: boolean) => {
    clearTimeout(timer);
    request.off("data", collect).off("end", end);
    onBody(Buffer.concat(chunks), isWhole);
  };
  const end = () => finish(true);
  const timer = setTimeout(() => {
    request.pause();
    finish(false);
  }, PROMPT);
  request.on("data", collect).once("end", end);
  request.once("close", () => clearTimeout(timer));
}

/**
 * Calls back once all is said: with an answer that was sent in one piece and was a success, as it was before
 * it was compressed; else with null.
 */
function onAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  use: (answer: Omit<Answer, "route"> | null) => void,
): void {
  const { writeHead, end } = response;
  let headers: Record<string, string> = {};
  response.writeHead = function (this: ServerResponse, status: number, ...rest: unknown[]) {
    // Those of helmet were set on the answer itself before: without them a kept page would be less guarded.
    headers = lowercase({ ...response.getHeaders(), ...(rest.at(-1) as object) } as Record<string, string>);
    return Reflect.apply(writeHead, this, [status, ...rest]) as ServerResponse;
  } as typeof writeHead;
  response.end = function (this: ServerResponse, ...words: unknown[]) {
    const sent = Buffer.from(typeof words[0] === "string" || Buffer.isBuffer(words[0]) ? words[0] : "");
    const { body, brotli, ...own } = squeezedOf(request) ?? { body: sent };
    const isWhole = Number(headers["content-length"]) === sent.length && sent.length > 0;
    const isGood = response.statusCode === 200 && isWhole && !tellsErrors(body);
    use(isGood ? { headers: { ...lasting(headers), ...own }, body, ...(brotli && { brotli }) } : null);
    return Reflect.apply(end, this, words) as ServerResponse;
  } as typeof end;
}

const lowercase = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const lasting = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !passing.has(name)));

/** An answer of GraphQL that did not succeed, whatever its status: errors stand first. */
const tellsErrors = (body: Buffer) => body.subarray(0, 10).toString("latin1") === '{"errors":';

/** Names and values in turn, as Node writes them fastest; made once. */
function headOf(answer: Answer, isCompressed: boolean): string[] {
  const form = isCompressed ? "brotliHead" : "head";
  const { headers, body, brotli = body } = answer;
  const { length } = isCompressed ? brotli : body;
  const make = () =>
    Object.entries({ ...headersOf(headers, body.length, isCompressed), "content-length": `${length}` });
  return (answer[form] ??= make().flat());
}

/** @returns the line for the log */
function sendAgain(answer: Answer, request: IncomingMessage, response: ServerResponse) {
  const began = performance.now();
  const { body, brotli, route } = answer;
  const reqId = randomUUID();
  const etag = answer.headers["etag"];
  const isKnown = etag !== undefined && (request.headers["if-none-match"] ?? "").includes(etag);
  const isCompressed = brotli !== undefined && takesBrotli(request);
  const status = isKnown ? 304 : 200;
  const head = isKnown
    ? Object.entries(headersOf(answer.headers, body.length, isCompressed)).flat()
    : headOf(answer, isCompressed);
  response.writeHead(status, [...head, "x-request-id", reqId]);
  response.end(isKnown ? undefined : isCompressed ? brotli : body);
  const milliseconds = Math.round((performance.now() - began) * 100) / 100;
  return { method: request.method ?? "GET", route, status, milliseconds, reqId, kept: true };
}

type Options = {
  /** Null: everything goes through. */
  answers: Answers | null;
  log: { info: (line: object) => void };
  measure: Measure;
  /** Set: answers depend on who asks from where. */
  corsOrigins: string[] | null;
  isDraining: () => boolean;
};

/**
 * Stands before the whole application: what a visitor asked before and nothing has changed since is answered
 * again without it; everything else goes through, and its answer may be kept.
 */
export function openFront({ answers, log, measure, corsOrigins, isDraining }: Options) {
  const readings = new WeakMap<IncomingMessage, Reading>();
  const bodies = new WeakMap<IncomingMessage, Begun>();

  function pass(
    kept: Answers,
    key: string,
    app: RequestListener,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    const reading = kept.begin();
    readings.set(request, reading);
    // Behind another answer on a line that was cut, one is finished but never closed.
    response.once("close", () => kept.end(reading));
    onAnswer(request, response, (sent) => {
      const answer = sent && { ...sent, route: reading.route };
      if (answer && kept.keep(key, answer, reading) && !answer.brotli) void compress(answer);
      kept.end(reading);
    });
    app(request, response);
  }

  function serve(
    kept: Answers,
    body: string,
    app: RequestListener,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    const key = keyOf(request, body);
    const found = kept.find(key);
    if (!found) return pass(kept, key, app, request, response);
    const line = sendAgain(found, request, response);
    measure(line.method, line.route, line.status, line.milliseconds);
    log.info(line);
  }

  function receive(kept: Answers, app: RequestListener, request: IncomingMessage, response: ServerResponse) {
    readBody(request, (body, isWhole) => {
      bodies.set(request, { body, isWhole });
      if (isWhole) serve(kept, body.toString("latin1"), app, request, response);
      else app(request, response);
    });
  }

  const before =
    (app: RequestListener): RequestListener =>
    (request, response) => {
      const hasOwn = corsOrigins !== null && request.headers.origin !== undefined;
      if (!answers || isDraining() || hasOwn || !isPublic(request)) app(request, response);
      else if (request.method === "GET" && !hasBody(request)) serve(answers, "", app, request, response);
      else if (isSmallPost(request)) receive(answers, app, request, response);
      else app(request, response);
    };

  return {
    /** What an answer is being read from, where it may be kept. */
    readingOf: (request: IncomingMessage) => readings.get(request),
    /** The body of a POST that was read here: it cannot be read twice. */
    bodyOf: (request: IncomingMessage) => streamOf(request, bodies.get(request)),
    /** Steps before whatever listens to requests now. */
    stepBefore(server: Server): void {
      const [app] = server.listeners("request") as RequestListener[];
      if (app) server.removeListener("request", app).on("request", before(app));
    },
  };
}

/** What came of a POST's body, and whether that is all. */
type Begun = { body: Buffer; isWhole: boolean };

const streamOf = (request: IncomingMessage, begun: Begun | undefined) =>
  begun && Readable.from(begun.isWhole ? [begun.body] : continued(begun.body, request));

async function* continued(begun: Buffer, request: IncomingMessage): AsyncGenerator<Buffer> {
  yield begun;
  yield* request;
}
