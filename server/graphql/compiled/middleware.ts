import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Call, Handler, Middleware } from "../../http/middleware.ts";
import { compressFor, headersOf, MIN_COMPRESSED_BYTES, type Encoding } from "../../http/compression.ts";
import { runOperation } from "../../tracing/operation.ts";
import { beginRequest, endRequest, roundToHundredths, type LogRequest } from "../../http/access-log.ts";

type OperationResponse = {
  mediaType: string;
  text: string;
  isPrivate?: boolean;
  headers?: Record<string, string>;
};

type Run = (requestId: string) => Promise<OperationResponse | null>;

type Options = {
  /** Returns null, without side effects, unless the body holds a compiled operation. The run may return null, too. */
  find: (request: IncomingMessage, body: string) => Run | null;
  /** Headers of every response to a POST of /graphql. */
  headers: Record<string, string>;
  /** Acquires a permit for a running request of a network. Returns its release, or null when none is free. */
  acquire: (network: string) => (() => void) | null;
  logRequest: LogRequest;
  isDraining: () => boolean;
};

const [METHOD, ROUTE] = ["POST", "/graphql"];

/** Flat arrays of names and values, which Node writes fastest; cached by kind of response. */
function createHeads(headers: Record<string, string>) {
  const heads = new Map<string, string[]>();
  return (mediaType: string, bytes: number, encoding: Encoding | null): string[] => {
    const kind = `${mediaType} ${bytes >= MIN_COMPRESSED_BYTES} ${encoding}`;
    const head = heads.get(kind) ?? Object.entries(headersOf(headers, bytes, encoding)).flat();
    heads.set(kind, head);
    return head;
  };
}

/** Runs compiled operations without the application. Other requests, and failures here, pass on to it. */
export function serveCompiledOperations(options: Options): Middleware {
  const { find, headers, acquire, logRequest, isDraining } = options;

  const headOf = createHeads(headers);

  async function send(
    request: IncomingMessage,
    response: ServerResponse,
    result: OperationResponse,
    requestId: string,
  ) {
    const { mediaType, text, isPrivate, headers: more = {} } = result;
    const bytes = Buffer.byteLength(text);
    const isPublic = request.headers.authorization === undefined;
    const isLong = isPublic && bytes >= MIN_COMPRESSED_BYTES;
    // The operation has run, so a failed compression must not lead to a second run.
    const compressed = isLong ? await compressFor(request, Buffer.from(text)).catch(() => null) : null;
    const length = `${compressed?.bytes.length ?? bytes}`;
    const own = ["content-type", mediaType, "content-length", length, "x-request-id", requestId];
    if (isPrivate) own.push("x-robots-tag", "noindex");
    for (const [name, value] of Object.entries(more)) own.push(name, value);
    response.writeHead(200, [
      ...headOf(mediaType, isPublic ? bytes : 0, compressed?.encoding ?? null),
      ...own,
    ]);
    response.end(compressed?.bytes ?? text);
  }

  async function serve(call: Call, run: Run, next: Handler, release: () => void): Promise<void> {
    const { request, response } = call;
    const began = performance.now();
    const reqId = randomUUID();
    const operation = beginRequest({ method: METHOD, route: ROUTE, requestId: reqId }, request.headers);
    // The application would fail too, and formats the error.
    const result = await runOperation(operation, () => run(reqId)).catch(() => null);
    if (!result) {
      release();
      operation.span?.end();
      return next(call);
    }
    // The permit covers the compression, or large responses would pile up there.
    await send(request, response, result, reqId).finally(release);
    endRequest(operation, 200);
    const milliseconds = roundToHundredths(performance.now() - began);
    logRequest({ reqId, method: METHOD, route: ROUTE, status: 200, milliseconds });
  }

  return (next) => (call) => {
    const { request, text, network } = call;
    const run = text === null || isDraining() ? null : find(request, text);
    const release = run && acquire(network);
    if (release) serve(call, run, next, release).catch(call.fail);
    else next(call);
  };
}
