import { setImmediate } from "node:timers/promises";

/** Milliseconds of work of all requests together between two iterations of the event loop. */
const SLICE = 5;

/** Resolves in a time slice of the event loop, so that other requests run between the texts of one response. */
export type NextSlice = () => Promise<void>;

type Waiting = (() => void)[];

/** The requests with work, in turns. */
const queue: Waiting[] = [];
let isRunning = false;
/** When work began in this iteration of the event loop. */
let began: number | null = null;

/** Each request has one of its own. */
export function createTimeSlicer(): NextSlice {
  const waiting: Waiting = [];
  return () =>
    new Promise((begin) => {
      if (waiting.push(begin) === 1) queue.push(waiting);
      if (!isRunning) void run();
    });
}

async function run(): Promise<void> {
  isRunning = true;
  for (let next = queue.shift(); next; next = queue.shift()) {
    if (began !== null && performance.now() - began >= SLICE) await setImmediate();
    if (began === null) openSlice();
    next.shift()?.();
    if (next.length > 0) queue.push(next);
    // The work that waited runs in promise callbacks.
    await Promise.resolve();
  }
  isRunning = false;
}

function openSlice(): void {
  began = performance.now();
  void setImmediate().then(() => (began = null));
}
