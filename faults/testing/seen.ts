import type { TestContext } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    seen?: string;
  }
}

/** Sets the test's entry in the final table, replacing an earlier one. */
export function note({ task }: TestContext, seen: string): void {
  task.meta.seen = seen;
}

/** Skips a fault that this machine cannot produce: the table shows NOT RUN and the reason. */
export function cannotRun(context: TestContext, why: string): never {
  note(context, why);
  return context.skip(why);
}

export const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;

export const sleep = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds));

export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
