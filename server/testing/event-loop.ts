import { monitorEventLoopDelay } from "node:perf_hooks";

/** Milliseconds for which the event loop was held at most while `work` ran. */
export async function longestDelay(work: Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await work.finally(() => delay.disable());
  return delay.max / 1e6;
}
