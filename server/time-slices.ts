import { setImmediate } from "node:timers/promises";

/** Milliseconds of work between two iterations of the event loop. */
const SLICE = 5;

/** Resolves in a time slice of the event loop, so that other requests run between the texts of one response. */
export type NextSlice = () => Promise<void>;

export function createTimeSlicer(): NextSlice {
  let last = Promise.resolve();
  let began = performance.now();
  const begin = async () => {
    if (performance.now() - began < SLICE) return;
    await setImmediate();
    began = performance.now();
  };
  return () => (last = last.then(begin));
}
