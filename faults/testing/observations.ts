import type { TestContext } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    observed?: string;
  }
}

/** Sets the test's entry in the final table, replacing an earlier one. */
export function report({ task }: TestContext, observed: string): void {
  task.meta.observed = observed;
}

/** Skips a fault that this machine cannot produce: the table shows NOT RUN and the reason. */
export function cannotRun(context: TestContext, why: string): never {
  report(context, why);
  return context.skip(why);
}

export const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;

export const sleep = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds));

export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
