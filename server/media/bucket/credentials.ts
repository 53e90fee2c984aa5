import { subscribe } from "node:diagnostics_channel";
import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { S3Client } from "@aws-sdk/client-s3";
import { inTime } from "../../with-deadline.ts";

/** Of one answer: bytes, and milliseconds for all of it. There are several for a key, and some are repeated. */
const LIMIT = { bytes: 64 * 1024, milliseconds: 3_000 };
const LOOK_MS = 10;
const KEY_MS = 5_000;

type Watched = { request: ClientRequest; until: number; socket: Socket | null; before: number };

let running = 0;
let isSubscribed = false;
let timer: NodeJS.Timeout | undefined;
const watched = new Set<Watched>();

/**
 * Limits the requests of the process that begin while the SDK gets a key by a role. It sends them past its request
 * handler, without limits of bytes and time, and waits for ever for the rest of an answer that was cut.
 */
export function limitCredentials({ config }: S3Client): void {
  if (!isSubscribed) subscribe("http.client.request.start", onRequest);
  isSubscribed = true;
  const provide = config.credentials;
  const limited: typeof provide = async (options) => {
    running++;
    const provided = provide(options).finally(() => running--);
    return inTime(provided, KEY_MS, "the key of the bucket does not come");
  };
  config.credentials = Object.assign(limited, { memoized: true, configBound: true });
}

function onRequest(message: unknown): void {
  if (running === 0) return;
  const { request } = message as { request: ClientRequest };
  const until = performance.now() + LIMIT.milliseconds;
  const entry: Watched = { request, until, socket: request.socket, before: request.socket?.bytesRead ?? 0 };
  let response: IncomingMessage | undefined;
  watched.add(entry);
  timer ??= setInterval(look, LOOK_MS);
  request
    .once("socket", (socket) => Object.assign(entry, { socket, before: socket.bytesRead }))
    .once("response", (received) => (response = received))
    .once("close", () => {
      watched.delete(entry);
      if (!response?.complete) fail(request, new Error("the answer with a key was cut"));
    });
}

function look(): void {
  for (const { request, until, socket, before } of watched)
    if ((socket?.bytesRead ?? 0) - before > LIMIT.bytes || performance.now() > until)
      fail(request, new Error("the answer with a key is too long or too late"));
  if (watched.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

/** A request that has a response reports no error of its own. */
function fail(request: ClientRequest, error: Error): void {
  if (request.listenerCount("error") > 0) request.emit("error", error);
  request.destroy(error);
}
