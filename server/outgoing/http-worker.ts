import "./tls-defaults.ts";
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { parentPort } from "node:worker_threads";
import { timeoutError } from "../with-deadline.ts";
import { toLookup } from "./host-addresses.ts";
import type { Command, Reply, SendCommand } from "./http-thread.ts";

/** Milliseconds for a connection with its TLS, and without a byte after which it is closed. */
const CONNECT = 2_000;
const IDLE = 30_000;
/** More than the bulkhead `pictures` lets read, so that uploads and jobs always find one. */
const CONNECTIONS = 128;

const options = { keepAlive: true, maxSockets: CONNECTIONS, timeout: IDLE };
const clients = {
  "http:": { request: http.request, agent: new http.Agent(options) },
  "https:": { request: https.request, agent: new https.Agent(options) },
};

type ClientResponse = IncomingMessage & { req: ClientRequest };
type Exchange = { response: ClientResponse | null; cancel: () => void };
const exchanges = new Map<number, Exchange>();

function reply(message: Reply, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

function fail(id: number, error: unknown): void {
  exchanges.delete(id);
  const { name, message, code } = error as NodeJS.ErrnoException;
  reply({ id, kind: "failure", name, message, code });
}

function send({ id, url, method, headers, body, addresses }: SendCommand): void {
  const { request, agent } = clients[new URL(url).protocol as keyof typeof clients];
  const sent = request(url, { method, headers, agent, lookup: toLookup(addresses) });
  const exchange: Exchange = { response: null, cancel: () => sent.destroy() };
  exchanges.set(id, exchange);
  sent.on("response", (response) => {
    // An error after the head is that of the body, when it is read.
    exchange.response = response as ClientResponse;
    response.on("error", () => undefined);
    reply({ id, kind: "head", status: response.statusCode ?? 0, headers: headersOf(response) });
  });
  sent.on("socket", (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => sent.destroy(timeoutError("no connection in time")), CONNECT);
    socket.once("encrypted" in socket ? "secureConnect" : "connect", () => clearTimeout(timer));
    socket.once("close", () => clearTimeout(timer));
  });
  sent.on("upgrade", () => sent.destroy(new Error("the service changes the protocol")));
  sent.on("timeout", () => sent.destroy(timeoutError("no answer in time")));
  sent.on("error", (error) => {
    if (!exchange.response && exchanges.has(id)) fail(id, error);
  });
  sent.end(body);
}

const headersOf = ({ headers }: IncomingMessage) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** In one buffer: many small parts would take many times their bytes. */
async function read(id: number, maxBytes: number): Promise<void> {
  const exchange = exchanges.get(id);
  if (!exchange?.response) return;
  const { response } = exchange;
  const announced = bytesOf(response) ?? maxBytes;
  try {
    if (announced > maxBytes) throw new Error("the answer is too long");
    const body = new Uint8Array(announced);
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (bytes + chunk.length > announced) throw new Error("the answer is too long");
      body.set(chunk, bytes);
      bytes += chunk.length;
    }
    exchanges.delete(id);
    const { buffer } = bytes === announced ? body : body.slice(0, bytes);
    reply({ id, kind: "body", bytes: buffer }, [buffer]);
  } catch (error) {
    exchange.cancel();
    if (exchanges.has(id)) fail(id, error);
  }
}

/** Null if the answer does not say. */
function bytesOf(response: ClientResponse): number | null {
  if (response.req.method === "HEAD" || response.statusCode === 304) return 0;
  const length = response.headers["content-length"];
  return length === undefined ? null : Number(length);
}

function cancel(id: number): void {
  exchanges.get(id)?.cancel();
  exchanges.delete(id);
  reply({ id, kind: "cancelled" });
}

function trySend(command: SendCommand): void {
  try {
    send(command);
  } catch (error) {
    // A header that Node refuses, for instance.
    fail(command.id, error);
  }
}

parentPort?.on("message", (command: Command) => {
  if (command.kind === "send") trySend(command);
  else if (command.kind === "read") void read(command.id, command.maxBytes);
  else cancel(command.id);
});
