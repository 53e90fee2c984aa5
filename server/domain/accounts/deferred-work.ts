import { setTimeout } from "node:timers/promises";
import { createQueue } from "../../queue.ts";

/** One task at a time, so that deferred work does not use up the database connections. */
const enqueue = createQueue({ concurrency: 1, maxQueued: 1_000, timeoutMs: 60_000 });

const MIN_DURATION = 80;

/** Takes at least 80 ms, so that the response time does not reveal who has an account. */
export async function withMinimumDuration<T>(work: () => Promise<T>): Promise<T> {
  const minimum = setTimeout(MIN_DURATION);
  try {
    return await work();
  } finally {
    await minimum;
  }
}

const pending = new Set<Promise<void>>();

/** Runs work after the response, if the work's duration would reveal who has an account. */
export function runDeferred(work: () => Promise<void>, onFailure: (error: unknown) => void): void {
  const done = enqueue(work)
    .catch(onFailure)
    .finally(() => pending.delete(done));
  pending.add(done);
}

/** Await it before closing the database. */
export const deferredWorkDone = () => Promise.all(pending);
