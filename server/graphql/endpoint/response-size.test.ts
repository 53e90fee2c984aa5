import { expect, test } from "vitest";
import { bulkheadCounts } from "../../queue.ts";
import type { OperationStats } from "./cost.ts";
import { acquirePermit } from "./response-size.ts";

const none: OperationStats = {
  ...{ cost: 0, texts: 0, files: 0, schema: 0, depth: 1, aliases: 0, directives: 0 },
};

test.each<[Partial<OperationStats>, Partial<OperationStats>]>([
  [{ cost: 1_500 }, { cost: 1_501 }],
  [{ texts: 10 }, { texts: 11 }],
  [{ files: 50 }, { files: 51 }],
  [{ schema: 5_000 }, { schema: 5_001 }],
  [{ aliases: 10 }, { aliases: 11 }],
])("an operation needs no permit of the expensive ones with %o, and one with %o", async (small, large) => {
  const running = bulkheadCounts.operations.running;
  const releaseSmall = await acquirePermit({ ...none, ...small }, "192.0.2.1");
  expect(bulkheadCounts.operations.running).toBe(running);
  releaseSmall();
  const release = await acquirePermit({ ...none, ...large }, `192.0.2.${Object.keys(large)[0]?.length}`);
  expect(bulkheadCounts.operations.running).toBe(running + 1);
  release();
  await expect.poll(() => bulkheadCounts.operations.running).toBe(running);
});

test("A4: operations that are not quick run eight at a time for an IP address, quick ones at once", async () => {
  const address = "192.0.2.77";
  const acquire = (cost: number) => acquirePermit({ ...none, cost }, address);
  const releases = await Promise.all(Array.from({ length: 8 }, () => acquire(301)));
  await Promise.all(Array.from({ length: 100 }, () => acquire(300)));
  const next = acquire(301);
  expect(await Promise.race([next, Promise.resolve("waits")])).toBe("waits");
  expect(bulkheadCounts.short_operations).toMatchObject({ running: 8, waiting: 1 });
  releases.pop()?.();
  releases.push(await next);
  for (const release of releases) release();
});
