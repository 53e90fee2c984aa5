import type { Services } from "../domain/context.ts";
import { publishDueDrafts } from "../domain/writing/schedules.ts";
import { runOperation } from "../tracing/operation.ts";
import type { Log } from "./deliver-email.ts";

const INTERVAL = 1_000;
const WARNING_INTERVAL = 60_000;

/**
 * Publishes scheduled drafts every second. The drafts themselves are the schedule: a job of the worker could wait for
 * a slow mail server or an encoding, and would be missing after a restored backup.
 * @param afterwards runs after a draft was published
 * @returns stops, and waits for a run in progress
 */
export function startPublishing(
  services: Services,
  afterwards: () => Promise<unknown>,
  log?: Log,
): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running = Promise.resolve();
  let warnedAt = -WARNING_INTERVAL;
  const run = async (): Promise<void> => {
    try {
      const publish = () => publishDueDrafts(services, () => isStopped);
      let due = await publish();
      if (due > 0) await afterwards();
      while (due > 0 && !isStopped) due = await publish();
    } catch (err) {
      if (performance.now() - warnedAt >= WARNING_INTERVAL) {
        log?.warn({ err }, "scheduled drafts could not be published, and are retried every second");
        warnedAt = performance.now();
      }
    }
    if (!isStopped) schedule();
  };
  const schedule = () => {
    timer = setTimeout(() => (running = runOperation({ name: "job publish_due" }, run)), INTERVAL).unref();
  };
  schedule();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await running;
  };
}
