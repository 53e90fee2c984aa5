import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { createFairQueue } from "../../event-loop/fair-queue.ts";
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
  const delayed = createFairQueue<Refusal>();
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
    delayed.removeIf(({ response }) => response.destroyed);
    const serveOnce = (network: string) => !served.has(network) && Boolean(served.add(network));
    const next = delayed.take(left, serveOnce);
    left -= next.length;
    next.forEach(send);
  }, INTERVAL).unref();
  app.addHook("preClose", async () => {
    clearInterval(timer);
    isClosing = true;
    delayed.take(Infinity).forEach(send);
  });

  return {
    delayedOf: delayed.lengthOf,
    pace(refusal: Refusal): void {
      const { network } = refusal;
      if (isClosing || (left > 0 && !served.has(network))) {
        left--;
        served.add(network);
        return refusal.send();
      }
      delayed.push(network, refusal);
      if (delayed.length() > delayedRefusals) delayed.takeNewestOfLargest()?.drop();
    },
  };
}

export type RefusalPacer = ReturnType<typeof openRefusalPacer>;
