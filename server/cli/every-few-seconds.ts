import type { Progress } from "../services.ts";

/** Reports progress every two seconds, as in `packed 3 of 12 files`. */
export function everyFewSeconds(progress: Progress, verb: string, noun: string) {
  let last = Date.now();
  return (done: number, all: number) => {
    if (Date.now() - last < 2_000) return;
    last = Date.now();
    progress(`${verb} ${done} of ${all} ${noun}`);
  };
}
