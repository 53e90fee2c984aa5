import { setImmediate, setTimeout } from "node:timers/promises";

/** Compilations that wait. A document beyond them is interpreted, and may be queued by a later request. */
const MAX_WAITING = 20;

/** Compiling blocks the event loop, and takes at most one part of its time in so many. */
const PARTS = 5;

/** Runs work later. @returns false if too much work waits */
export type Schedule = (work: () => void) => boolean;

/** Runs work one by one, with pauses. */
export function createCompileQueue(): Schedule {
  const waiting: (() => void)[] = [];
  let isRunning = false;
  async function run(): Promise<void> {
    isRunning = true;
    await setImmediate();
    for (let work = waiting.shift(); work; work = waiting.shift()) {
      const began = performance.now();
      work();
      await setTimeout((PARTS - 1) * (performance.now() - began), undefined, { ref: false });
    }
    isRunning = false;
  }
  return (work) => {
    if (waiting.length >= MAX_WAITING) return false;
    waiting.push(work);
    if (!isRunning) void run();
    return true;
  };
}
