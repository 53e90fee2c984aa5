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
])("an operation needs no permit with %o, and one with %o", async (small, large) => {
  const running = bulkheadCounts.operations.running;
  await acquirePermit({ ...none, ...small }, "192.0.2.1");
  expect(bulkheadCounts.operations.running).toBe(running);
  const release = await acquirePermit({ ...none, ...large }, `192.0.2.${Object.keys(large)[0]?.length}`);
  expect(bulkheadCounts.operations.running).toBe(running + 1);
  release();
  await expect.poll(() => bulkheadCounts.operations.running).toBe(running);
});
