import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Limits } from "../../limits.ts";

/** Milliseconds in which each network gets one refusal. */
const INTERVAL = 20;

type Refusal = {
  network: string;
  response: ServerResponse;
  send: () => void;
  drop: () => void;
};

/**
 * Limits refusals to `refusals` a second, and to 50 of a network: clients that retry at once would starve others.
 * `delayedRefusals` of the further ones wait, in turns of networks. Beyond, the newest of the network that has most is dropped.
 */
export function openRefusalPacer(
  app: FastifyInstance,
  { refusals, delayedRefusals }: Pick<Limits, "refusals" | "delayedRefusals">,
) {
  const delayed = createDelayed();
  const served = new Set<string>();
  let [left, since, isClosing] = [0, performance.now(), false];

  // Runs in a timer, where an error would end the process.
  const send = ({ response, send: end }: Refusal) => {
    if (response.headersSent || response.destroyed) return;
    try {
      end();
    } catch (err) {
      app.log.error({ err }, "a delayed refusal failed");
      response.destroy();
    }
  };
  const timer = setInterval(() => {
    const now = performance.now();
    left = Math.round(((now - since) * refusals) / 1_000);
    since = now;
    served.clear();
    for (const refusal of delayed.takeOfEach(left)) {
      left--;
      served.add(refusal.network);
      send(refusal);
    }
  }, INTERVAL).unref();
  app.addHook("preClose", async () => {
    clearInterval(timer);
    isClosing = true;
    delayed.takeAll().forEach(send);
  });

  return {
    delayedOf: delayed.countOf,
    pace(refusal: Refusal): void {
      const { network } = refusal;
      if (isClosing || (left > 0 && !served.has(network))) {
        left--;
        served.add(network);
        return refusal.send();
      }
      delayed.add(refusal);
      if (delayed.length() > delayedRefusals) delayed.takeNewestOfLargest()?.drop();
    },
  };
}

export type RefusalPacer = ReturnType<typeof openRefusalPacer>;

function createDelayed() {
  const byNetwork = new Map<string, Refusal[]>();
  let length = 0;
  return {
    length: () => length,
    countOf: (network: string): number => byNetwork.get(network)?.length ?? 0,
    add(refusal: Refusal): void {
      const refusals = byNetwork.get(refusal.network) ?? [];
      refusals.push(refusal);
      byNetwork.set(refusal.network, refusals);
      length++;
    },
    /** Forgets those whose client has disconnected. @returns the oldest of the `most` networks that were served longest ago */
    takeOfEach(most: number): Refusal[] {
      const taken: Refusal[] = [];
      for (const [network, all] of [...byNetwork]) {
        const refusals = all.filter(({ response }) => !response.destroyed);
        length -= all.length - refusals.length;
        const next = taken.length < most ? refusals.shift() : undefined;
        if (next) {
          taken.push(next);
          length--;
          byNetwork.delete(network);
        }
        if (refusals.length > 0) byNetwork.set(network, refusals);
        else byNetwork.delete(network);
      }
      return taken;
    },
    takeAll(): Refusal[] {
      const all = [...byNetwork.values()].flat();
      byNetwork.clear();
      length = 0;
      return all;
    },
    takeNewestOfLargest(): Refusal | undefined {
      const all = [...byNetwork.values()];
      const largest = all.reduce((one, other) => (other.length > one.length ? other : one));
      length--;
      return largest.pop();
    },
  };
}
