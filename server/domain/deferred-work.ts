import { createBulkhead, createQueue } from "../queue.ts";

/** One task of a kind at a time, so that deferred work does not use up the database connections. */
const queues = {
  // Their senders had their response already, so none may be dropped.
  emails: createQueue({ concurrency: 1, maxQueued: 1_000, timeoutMs: 60 * 60_000 }, "emails"),
  relations: createBulkhead("relations"),
};

type Kind = { kind: keyof typeof queues; key: string };

const pending = new Set<Promise<void>>();

/** Runs work after the response: its duration could reveal who has an account, or is not worth waiting for. */
export function runDeferred(
  { kind, key }: Kind,
  work: () => Promise<void>,
  onFailure: (error: unknown) => void,
): void {
  const done = queues[kind](work, key)
    .catch(onFailure)
    .finally(() => pending.delete(done));
  pending.add(done);
}

export const deferredWorkDone = () => Promise.all(pending);
