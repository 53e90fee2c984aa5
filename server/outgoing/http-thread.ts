import type { LookupAddress } from "node:dns";
import { Worker } from "node:worker_threads";
import { findBuilt } from "../build-folder.ts";
import { findAddresses, hostOf } from "./host-addresses.ts";

export type OutgoingRequest = {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: Uint8Array | string | undefined;
};
export type SendCommand = OutgoingRequest & { kind: "send"; id: number; addresses: LookupAddress[] };
export type Command =
  SendCommand | { kind: "read"; id: number; maxBytes: number } | { kind: "cancel"; id: number };

type Head = { kind: "head"; id: number; status: number; headers: Record<string, string> };
type Body = { kind: "body"; id: number; bytes: ArrayBuffer };
type Failure = { kind: "failure"; id: number; name: string; message: string; code: string | undefined };
export type Reply = Head | Body | Failure | { kind: "cancelled"; id: number };

export type ServiceResponse = {
  status: number;
  headers: Record<string, string>;
  /** To be called once, unless `discard` is. @throws an error of the connection, or if the body is longer */
  read: (maxBytes: number) => Promise<Buffer>;
  discard: () => void;
};

export type HttpThread = {
  /** Redirections are not followed. @throws errors with the `code` of Node, and AbortError */
  send: (request: OutgoingRequest, signal?: AbortSignal) => Promise<ServiceResponse>;
  close: () => void;
};

/** Milliseconds for the thread to confirm that it has cancelled a request, and until a body that nobody reads is given up. */
const PATIENCE = 5_000;
const UNREAD = 30_000;
const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 4 };

type Caller = { resolve: (reply: Head | Body) => void; reject: (error: Error) => void };

/**
 * Sends requests to a service in a thread, so that nothing a service sends delays the event loop: TLS messages,
 * informational answers and small parts cost time, and are not counted by Node. The event loop gets two messages for
 * each request. @param workerFile the built `http-worker.ts`, which the first request starts
 */
export function openHttpThread(workerFile: string): HttpThread {
  const exchanges = openExchanges(findBuilt(workerFile));

  async function send(request: OutgoingRequest, signal?: AbortSignal): Promise<ServiceResponse> {
    const addresses = await findAddresses(hostOf(request.url));
    signal?.throwIfAborted();
    const id = exchanges.begin();
    const abort = () => exchanges.cancel(id);
    const release = () => signal?.removeEventListener("abort", abort);
    signal?.addEventListener("abort", abort);
    const body = exactCopy(request.body);
    const transfer = body instanceof Uint8Array ? [body.buffer] : undefined;
    try {
      const { status, headers } = await exchanges.call<Head>(
        { ...request, body, addresses, kind: "send", id },
        transfer,
      );
      const discard = () => {
        clearTimeout(unread);
        release();
        abort();
      };
      const unread = setTimeout(discard, UNREAD).unref();
      return {
        status,
        headers,
        read: async (maxBytes) => {
          clearTimeout(unread);
          const { bytes } = await exchanges.call<Body>({ kind: "read", id, maxBytes }).finally(release);
          return Buffer.from(bytes);
        },
        discard,
      };
    } catch (error) {
      release();
      throw error;
    }
  }

  return { send, close: () => exchanges.end(new Error("the thread is closed")) };
}

/** Posting a part of a larger buffer would copy all of it. */
const exactCopy = (body: OutgoingRequest["body"]) =>
  body instanceof Uint8Array ? new Uint8Array(body) : body;

/** Requests by number, and the worker that has them. */
function openExchanges(file: string) {
  let last = 0;
  /** With the caller that waits for a reply. */
  const unfinished = new Map<number, Caller | null>();
  const worker = openWorker(file, receive, (error) => {
    const callers = [...unfinished.values()];
    unfinished.clear();
    for (const caller of callers) caller?.reject(error);
  });

  function receive(reply: Reply): void {
    const caller = unfinished.get(reply.id);
    if (reply.kind === "body" || reply.kind === "failure") finish(reply.id);
    else if (caller) unfinished.set(reply.id, null);
    if (reply.kind === "failure") caller?.reject(toError(reply));
    else if (reply.kind !== "cancelled") caller?.resolve(reply);
  }

  function finish(id: number): void {
    unfinished.delete(id);
    // An idle thread must not keep a command running.
    if (unfinished.size === 0) worker.unref();
  }

  return {
    end: worker.end,
    begin(): number {
      worker.start();
      unfinished.set(++last, null);
      return last;
    },
    call: <T extends Head | Body>(command: Command, transfer?: ArrayBuffer[]) =>
      new Promise<T>((resolve, reject) => {
        if (!unfinished.has(command.id)) return reject(aborted());
        unfinished.set(command.id, { resolve: resolve as Caller["resolve"], reject });
        worker.post(command, transfer);
      }),
    cancel(id: number): void {
      const caller = unfinished.get(id);
      if (caller === undefined) return;
      finish(id);
      caller?.reject(aborted());
      worker.post({ kind: "cancel", id });
      worker.requireReply();
    },
  };
}

/** A worker that can start again after it has ended. */
function openWorker(file: string, onReply: (reply: Reply) => void, onEnd: (error: Error) => void) {
  let worker: Worker | null = null;
  let timer: NodeJS.Timeout | undefined;

  function create(): Worker {
    const created = new Worker(file, { resourceLimits: MEMORY });
    const receive = (reply: Reply) => {
      stopTimer();
      onReply(reply);
    };
    return created.on("message", receive).on("error", (error) => {
      if (worker === created) end(error);
    });
  }

  function stopTimer(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function end(error: Error): void {
    stopTimer();
    void worker?.terminate();
    worker = null;
    onEnd(error);
  }

  return {
    end,
    start: () => (worker ??= create()).ref(),
    unref: () => worker?.unref(),
    post: (command: Command, transfer?: ArrayBuffer[]) => worker?.postMessage(command, transfer),
    requireReply(): void {
      timer ??= setTimeout(() => end(new Error("the thread does not respond")), PATIENCE).unref();
    },
  };
}

const aborted = () => new DOMException("the request was aborted", "AbortError");

function toError({ name, message, code }: Failure): Error {
  return Object.assign(new Error(message), { name, ...(code !== undefined && { code }) });
}
