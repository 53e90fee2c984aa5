import { setImmediate, setTimeout } from "node:timers/promises";
import { networkOf } from "../networks.ts";
import { createHeavyTasks } from "./heavy-tasks.ts";

/** Milliseconds of work of all requests together between two iterations of the event loop. */
const SLICE = 5;

/** Resolves in a time slice of the event loop, so that other requests run between the texts of one response. */
export type NextSlice = () => Promise<void>;

const pieces = createHeavyTasks({ quickMs: SLICE });
let isRunning = false;
/** When work began in this iteration of the event loop. */
let began: number | null = null;

type Waiting = (() => void)[];

/** Each request has one of its own, and those of a network take turns, too. Work without a request has no origin. */
export function createTimeSlicer(origin = ""): NextSlice {
  const waiting: Waiting = [];
  return () =>
    new Promise((begin) => {
      if (waiting.push(begin) === 1) queueFirst(waiting, networkOf(origin));
      if (!isRunning) void run();
    });
}

function queueFirst(waiting: Waiting, network: string): void {
  pieces.push(network, () => {
    waiting.shift()?.();
    if (waiting.length > 0) queueFirst(waiting, network);
  });
}

async function run(): Promise<void> {
  isRunning = true;
  while (pieces.length() > 0) {
    if (began !== null && performance.now() - began >= SLICE) await setImmediate();
    const rest = pieces.untilNext();
    // Another network may not have to wait as long.
    if (rest >= 1) await setTimeout(Math.min(rest, SLICE));
    else {
      if (began === null) openSlice();
      await pieces.run();
    }
  }
  isRunning = false;
}

function openSlice(): void {
  began = performance.now();
  void setImmediate().then(() => (began = null));
}
