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
  const releaseSmall = await acquirePermit({ ...none, ...small }, "192.0.2.1", "query");
  expect(bulkheadCounts.operations.running).toBe(running);
  releaseSmall();
  const release = await acquirePermit(
    { ...none, ...large },
    `192.0.2.${Object.keys(large)[0]?.length}`,
    "query",
  );
  expect(bulkheadCounts.operations.running).toBe(running + 1);
  release();
  await expect.poll(() => bulkheadCounts.operations.running).toBe(running);
});

test.each([
  ["quick_operations", 4, 31],
  ["short_operations", 8, 301],
] as const)(
  "A4: %s run %i at a time for an IP address, cheaper ones and mutations at once",
  async (name, most, cost) => {
    const acquire = (each: number, type: "query" | "mutation" = "query") =>
      acquirePermit({ ...none, cost: each }, `192.0.2.${cost % 255}`, type);
    const releases = await Promise.all(Array.from({ length: most }, () => acquire(cost)));
    await Promise.all(Array.from({ length: 100 }, () => acquire(30)));
    await Promise.all(Array.from({ length: 100 }, () => acquire(300, "mutation")));
    const next = acquire(cost);
    expect(await Promise.race([next, Promise.resolve("waits")])).toBe("waits");
    expect(bulkheadCounts[name]).toMatchObject({ running: most, waiting: 1 });
    releases.pop()?.();
    releases.push(await next);
    for (const release of releases) release();
  },
);
