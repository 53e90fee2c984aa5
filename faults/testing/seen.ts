import type { TestContext } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** The figures of a fault, for the table at the end. */
    seen?: string;
  }
}

/** Puts what was seen into the table; of several words the last stands. */
export function note({ task }: TestContext, seen: string): void {
  task.meta.seen = seen;
}

/** A fault that cannot be made here is no pass: the table says NOT RUN and why. */
export function cannotRun(context: TestContext, why: string): never {
  note(context, why);
  return context.skip(why);
}

export const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;

export const sleep = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds));

/** The value below which that share of them lies. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
