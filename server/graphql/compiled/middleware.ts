import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Call, Handler, Middleware } from "../../http/middleware.ts";
import { compressFor, headersOf, WORTH_COMPRESSING, type Encoding } from "../../http/compression.ts";
import { hundredths, type LogRequest } from "../../http/access-log.ts";

/** What GraphQL says to a document, without its head. */
type Said = { mediaType: string; text: string };

type Run = (requestId: string) => Promise<Said | null>;

type Options = {
  /**
   * How to answer this body, where it holds a document that needs no more thought; null, with nothing done yet,
   * for all else. What it answers may turn out to be null too.
   */
  find: (request: IncomingMessage, body: string) => Run | null;
  /** Of every answer of GraphQL by POST. */
  headers: Record<string, string>;
  /** Takes a place among the calls under way, if there is one. */
  enter: () => boolean;
  leave: () => void;
  note: LogRequest;
  isDraining: () => boolean;
};

/**
 * Answers known documents before the application, which would only find out again what it knows of them;
 * everything else goes through, also what fails here.
 */
export function answerKnownDocuments(options: Options): Middleware {
  const { find, headers, enter, leave, note, isDraining } = options;

  /** Names and values in turn, as Node writes them fastest; made once for each kind of answer. */
  const heads = new Map<string, string[]>();
  const headOf = (mediaType: string, bytes: number, encoding: Encoding | null) => {
    const kind = `${mediaType} ${bytes >= WORTH_COMPRESSING} ${encoding}`;
    const head = heads.get(kind) ?? Object.entries(headersOf(headers, bytes, encoding)).flat();
    heads.set(kind, head);
    return head;
  };

  async function send(request: IncomingMessage, response: ServerResponse, said: Said, requestId: string) {
    const { mediaType, text } = said;
    const bytes = Buffer.byteLength(text);
    const isPublic = request.headers.authorization === undefined;
    const isLong = isPublic && bytes >= WORTH_COMPRESSING;
    // What is answered was done: it is not asked again for want of compressing it.
    const compressed = isLong ? await compressFor(request, Buffer.from(text)).catch(() => null) : null;
    const length = `${compressed?.bytes.length ?? bytes}`;
    const own = ["content-type", mediaType, "content-length", length, "x-request-id", requestId];
    response.writeHead(200, [
      ...headOf(mediaType, isPublic ? bytes : 0, compressed?.encoding ?? null),
      ...own,
    ]);
    response.end(compressed?.bytes ?? text);
  }

  async function answer(call: Call, run: Run, next: Handler): Promise<void> {
    const { request, response } = call;
    const began = performance.now();
    const reqId = randomUUID();
    // Where it fails the application will fail too, and has words for that.
    const said = await run(reqId).catch(() => null);
    if (!said) {
      leave();
      return next(call);
    }
    // The place is held until the answer is compressed as well, or long answers would pile up there.
    await send(request, response, said, reqId).finally(leave);
    const milliseconds = hundredths(performance.now() - began);
    note({ reqId, method: "POST", route: "/graphql", status: 200, milliseconds });
  }

  return (next) => (call) => {
    const { request, text } = call;
    const run = text === null || isDraining() ? null : find(request, text);
    if (run && enter()) answer(call, run, next).catch(call.fail);
    else next(call);
  };
}
