import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Limits } from "../../limits.ts";
import { networkOf } from "../../networks.ts";
import type { Metric } from "../metrics.ts";
import { originOf } from "../origin.ts";

/** `bytes` unread since `since` (milliseconds), `taken` in total, and `rate` bytes read since the last sweep. */
type Unread = { socket: Socket; bytes: number; taken: number; since: number; rate: number };

const RESERVED_SHARE = 1 / 4;

/** Counts bytes that a response will have, and waits for others first. @returns to be called when it is sent */
export type ReserveBytes = (bytes: number) => Promise<() => void>;

/** Bounds the memory of unread responses: closes stalled connections and, above the total limit, slow ones. */
export function limitUnread(app: FastifyInstance, limits: Limits) {
  const sockets = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  let unread = new Map<Socket, Unread>();
  const find = (now: number) =>
    [...sockets]
      .filter((socket) => socket.writableLength > 0 && !socket.destroyed)
      .map((socket) => measure(socket, now, unread.get(socket)));
  const { reserveBytes, count } = openReservations(limits, () => {
    const rateOf = ({ socket, rate }: Unread) => rate + (unread.get(socket)?.rate ?? 0);
    cut(find(performance.now()).map((each) => ({ ...each, rate: rateOf(each) })));
  });
  const cut = (found: Unread[]) => {
    for (const { socket } of selectExcess(limits.unreadBytes - count(), found)) socket.destroy();
  };
  const sweep = setInterval(() => {
    const now = performance.now();
    const found = find(now);
    unread = new Map(found.map((each) => [each.socket, each]));
    const isTooSlow = ({ bytes, since }: Unread) =>
      now - since > limits.unread + (bytes / limits.unreadRate) * 1_000;
    for (const { socket } of found.filter(isTooSlow)) socket.destroy();
    cut(found);
  }, limits.unreadSweep).unref();
  app.addHook("onClose", async () => clearInterval(sweep));
  const metric: Metric = {
    name: "blog_http_unread_bytes",
    help: "Bytes of responses that clients have not read yet.",
    read: () => [...sockets].reduce((sum, { writableLength }) => sum + writableLength, 0),
  };
  return { metric, reserveBytes };
}

function openReservations(limits: Limits, evict: () => void) {
  let reserved = 0;
  let waiting: (() => void)[] = [];
  const reserveBytes: ReserveBytes = async (bytes) => {
    while (reserved > 0 && reserved + bytes > limits.unreadBytes * RESERVED_SHARE)
      await new Promise<void>((resolve) => waiting.push(resolve));
    reserved += bytes;
    evict();
    return () => {
      reserved -= bytes;
      const next = waiting;
      waiting = [];
      for (const resolve of next) resolve();
    };
  };
  return { reserveBytes, count: () => reserved };
}

/** Selects connections so that the rest holds at most `bytes`: each time the slowest of the network with most. */
export function selectExcess(bytes: number, found: Unread[]): Unread[] {
  let total = found.reduce((sum, each) => sum + each.bytes, 0);
  if (total <= bytes || found.length === 0) return [];
  const ofNetworks = new Map<string, { held: number; responses: Unread[] }>();
  for (const each of found.sort((a, b) => b.rate - a.rate)) {
    const network = networkOf(originOf(each.socket.remoteAddress ?? ""));
    const group = ofNetworks.get(network) ?? { held: 0, responses: [] };
    group.held += each.bytes;
    group.responses.push(each);
    ofNetworks.set(network, group);
  }
  const groups = [...ofNetworks.values()];
  const cut: Unread[] = [];
  while (total > bytes) {
    const largest = groups.reduce((one, other) => (other.held > one.held ? other : one));
    const slowest = largest.responses.pop();
    if (!slowest) break;
    cut.push(slowest);
    largest.held -= slowest.bytes;
    total -= slowest.bytes;
  }
  return cut;
}

/** Any progress since the last sweep restarts the timeout. */
function measure(socket: Socket, now: number, last: Unread | undefined): Unread {
  const bytes = socket.writableLength;
  const taken = socket.bytesWritten - bytes;
  const rate = taken - (last?.taken ?? 0);
  return { socket, bytes, taken, rate, since: last && rate === 0 ? last.since : now };
}
