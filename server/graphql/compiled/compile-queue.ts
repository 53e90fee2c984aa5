import { setImmediate, setTimeout } from "node:timers/promises";

/** A document beyond them is interpreted, and may be queued by a later request. */
const MAX_WAITING = 20;

/** Compiling, which blocks the event loop, takes one part of the time in so many. */
const PARTS = 5;

/** Runs work later. @returns false if too much work waits */
export type Schedule = (work: () => void) => boolean;

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
