import { setImmediate } from "node:timers/promises";

/** Milliseconds of work between two iterations of the event loop. */
const SLICE = 5;

/** Waits for the caller's turn: work on many texts of one response lets other requests run in between. */
export type NextTurn = () => Promise<void>;

export function createTurns(): NextTurn {
  let last = Promise.resolve();
  let began = performance.now();
  const begin = async () => {
    if (performance.now() - began < SLICE) return;
    await setImmediate();
    began = performance.now();
  };
  return () => (last = last.then(begin));
}
