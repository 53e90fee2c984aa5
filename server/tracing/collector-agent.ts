import http from "node:http";
import https from "node:https";
import tls from "node:tls";
import type { Duplex } from "node:stream";
import { LimitedSocket } from "../outgoing/limited-socket.ts";

/** Of an answer with its TLS, and milliseconds. The exporter counts neither informational answers nor parts. */
const MAX_BYTES = 20 * 1024;
const DEADLINE = 30_000;

type Address = { host?: string | null; port?: number | string | null };

function open({ host, port }: Address): Duplex {
  const socket = new LimitedSocket(MAX_BYTES);
  const timer = setTimeout(() => socket.destroy(), DEADLINE).unref();
  socket.once("close", () => clearTimeout(timer));
  return socket.connect(Number(port), host ?? "localhost", () => undefined);
}

/** For the HTTP client of the exporter: a connection for each export, whose bytes are limited. */
export function createCollectorAgent(protocol: string): http.Agent {
  if (protocol !== "https:") return Object.assign(new http.Agent(), { createConnection: open });
  const createConnection = (options: tls.ConnectionOptions & Address) =>
    tls.connect({ ...options, socket: open(options) });
  return Object.assign(new https.Agent(), { createConnection });
}
