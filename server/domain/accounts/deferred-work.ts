import { setTimeout } from "node:timers/promises";
import { createQueue } from "../../queue.ts";

/** One at a time, so that what is done for a known address leaves the connections to everybody else. */
const inTurn = createQueue({ concurrency: 1, maxQueued: 1_000, timeoutMs: 60_000 });

/** Milliseconds for which an answer waits that must not tell by its time who has an account. */
const ANSWER_TIME = 80;

/** Does what is done for any address, in a time that tells nothing. */
export async function withMinimumDuration<T>(work: () => Promise<T>): Promise<T> {
  const floor = setTimeout(ANSWER_TIME);
  try {
    return await work();
  } finally {
    await floor;
  }
}

const underWay = new Set<Promise<void>>();

/**
 * Does work behind the answer of a call, where its time would tell what the answer must not: who has an account.
 * @param onFailure is told why it could not be done
 */
export function runDeferred(work: () => Promise<void>, onFailure: (error: unknown) => void): void {
  const done = inTurn(work)
    .catch(onFailure)
    .finally(() => underWay.delete(done));
  underWay.add(done);
}

/** Resolves when all of it is done: before the database is closed. */
export const deferredWorkDone = () => Promise.all(underWay);
