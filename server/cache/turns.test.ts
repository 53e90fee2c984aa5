import type { IncomingMessage } from "node:http";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createScheduler } from "../http/limits/event-loop-scheduler.ts";
import type { Call } from "../http/middleware.ts";
import { createServer } from "node:http";
import { openResponseCacheMiddleware } from "./middleware.ts";
import { openResponseCache } from "./response-cache.ts";

test("networks take turns at the cache beyond 20 requests of one event-loop iteration", async () => {
  const order: string[] = [];
  const networkFrom = ({ headers }: IncomingMessage) => String(headers["x-network"]);
  const { lookUp } = openResponseCacheMiddleware({
    responseCache: openResponseCache({ onChange: () => undefined, isListening: () => true }, 1_000),
    ...{ trackers: new WeakMap(), scheduler: createScheduler(createServer()), networkFrom },
    ...{
      enqueue: (start: () => void) => start(),
      logRequest: () => undefined,
      corsOrigins: null,
      isDraining: () => false,
      share: null,
    },
  });
  const ask = lookUp(({ request }) => void order.push(networkFrom(request)));
  const request = (network: string) =>
    ask({
      request: { method: "GET", url: "/", headers: { "x-network": network }, socket: {} },
    } as never as Call);
  for (let n = 0; n < 40; n++) request("crowd");
  request("other");
  expect(order).toHaveLength(20);
  await setImmediate();
  await setImmediate();
  expect(order).toHaveLength(41);
  expect(order.indexOf("other")).toBeLessThan(23);
  request("crowd");
  expect(order).toHaveLength(42);
});
