import { subscribe } from "node:diagnostics_channel";
import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { S3Client } from "@aws-sdk/client-s3";
import { inTime } from "../../with-deadline.ts";

/** Of one answer: bytes, and milliseconds for all of it. There are several for a key, and some are repeated. */
const LIMIT = { bytes: 64 * 1024, milliseconds: 3_000 };
const LOOK_MS = 10;
/** A key is renewed EARLY_MS before it expires, and after MAX_AGE_MS. Without a key a call of the bucket fails after WAIT_MS. */
const WAIT_MS = 5_000;
const RETRY_MS = 1_000;
const EARLY_MS = 5 * 60_000;
const MAX_AGE_MS = 60 * 60_000;

type Watched = { request: ClientRequest; until: number; socket: Socket | null; before: number };

let running = 0;
let isSubscribed = false;
let timer: NodeJS.Timeout | undefined;
const watched = new Set<Watched>();

type Provide = S3Client["config"]["credentials"];
type Key = Awaited<ReturnType<Provide>>;

/**
 * Gets a key by a role before the present one expires, each time from a new provider of the SDK: one that waits for a
 * service which does not answer would be asked for ever. The SDK sends the requests for it past its request handler,
 * without limits of bytes and time: those of the process that begin meanwhile are limited.
 */
export function limitCredentials({ config }: S3Client, createProvider: () => Provide): void {
  if (!isSubscribed) subscribe("http.client.request.start", onRequest);
  isSubscribed = true;
  let key: { value: Key; until: number } | undefined;
  let renewAt = 0;
  let renewal: Promise<Key> | undefined;

  async function renew(): Promise<Key> {
    renewAt = Date.now() + RETRY_MS;
    running++;
    const provided = createProvider()().finally(() => running--);
    const value = await inTime(provided, WAIT_MS, "the key of the bucket does not come");
    const until = value.expiration?.getTime() ?? Infinity;
    key = { value, until };
    renewAt = Math.max(Date.now() + RETRY_MS, Math.min(Date.now() + MAX_AGE_MS, until - EARLY_MS));
    return value;
  }

  const provide: Provide = async () => {
    const now = Date.now();
    const present = key && now < key.until ? key.value : undefined;
    if (present && now < renewAt) return present;
    renewal ??= renew().finally(() => (renewal = undefined));
    if (!present) return renewal;
    renewal.catch(() => undefined);
    return present;
  };
  config.credentials = Object.assign(provide, { memoized: true, configBound: true });
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
