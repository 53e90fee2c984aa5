import { createFairQueue } from "./fair-queue.ts";

/** After a task longer than `quickMs`: pauses of its network, and of all, as multiples of the excess. */
const [OWN_PAUSE, PAUSE] = [2, 1];

/** With so many networks waiting, several tasks run in an event-loop iteration. */
const MANY_NETWORKS = 3;

/** When the pauses of networks, and of all, end. Shared by the kinds of tasks of the process. */
const pauses = new Map<string, number>();
let pausedUntil = 0;

/**
 * Runs tasks that take long, in turns of networks, with pauses for the running requests, of which each needs an event-loop iteration
 * for each of its steps. Jobs, without a network, cause no pauses.
 */
export function createHeavyTasks({ quickMs }: { quickMs: number }) {
  const queue = createFairQueue();
  let running = "";

  async function runNext(): Promise<boolean> {
    const began = performance.now();
    if (!begin()) return false;
    await afterPromiseCallbacks();
    const now = performance.now();
    const beyond = now - began - quickMs;
    if (beyond <= 0 || running === "") return beyond <= 0;
    pausedUntil = now + PAUSE * beyond;
    pauses.set(running, now + OWN_PAUSE * beyond);
    return false;
  }

  function begin(): boolean {
    const now = performance.now();
    for (const [network, end] of pauses) if (end <= now) pauses.delete(network);
    const [start] = now < pausedUntil ? [] : queue.take(1, (network) => !pauses.has(network));
    start?.();
    return start !== undefined;
  }

  return {
    length: queue.length,
    push: (network: string, start: () => void) =>
      queue.push(network, () => {
        running = network;
        start();
      }),
    /** Runs the next task, unless all that wait pause, and further ones for `slice` milliseconds while many networks wait. */
    async run(slice = 0): Promise<void> {
      const end = performance.now() + slice;
      while ((await runNext()) && queue.keyCount() >= MANY_NETWORKS && performance.now() < end);
    },
    /** Milliseconds until a waiting task may run. */
    untilNext(): number {
      const ends = queue.keys().map((network) => pauses.get(network) ?? 0);
      return Math.max(pausedUntil, Math.min(...ends)) - performance.now();
    },
  };
}

/** Lets the promise callbacks of started tasks run. */
export const afterPromiseCallbacks = () => new Promise<void>((done) => process.nextTick(done));
