import type { Progress } from "../services.ts";

export function throttleProgress(progress: Progress, verb: string, noun: string) {
  let last = Date.now();
  return (done: number, all: number) => {
    if (Date.now() - last < 2_000) return;
    last = Date.now();
    progress(`${verb} ${done} of ${all} ${noun}`);
  };
}
