import { describe, expect, test } from "vitest";
import { bulkheadCounts } from "../../queue.ts";
import type { OperationStats } from "./cost.ts";
import { acquirePermit } from "./response-size.ts";

const none: OperationStats = {
  ...{ cost: 0, texts: 0, files: 0, schema: 0, depth: 1, aliases: 0, directives: 0 },
};

type Holder = Parameters<typeof acquirePermit>[1];

async function acquire(stats: Partial<OperationStats>, origin: string, type: "query" | "mutation" = "query") {
  const context = { ctx: { origin }, releases: [] as (() => void)[] } as Holder;
  await acquirePermit({ ...none, ...stats }, context, type);
  const release = () => context.releases.forEach((each) => each());
  return Object.assign(release, { queueResult: context.queueResult });
}

test.each<[Partial<OperationStats>, Partial<OperationStats>]>([
  [{ cost: 1_500 }, { cost: 1_501 }],
  [{ texts: 10 }, { texts: 11 }],
  [{ files: 50 }, { files: 51 }],
  [{ schema: 5_000 }, { schema: 5_001 }],
  [{ aliases: 10 }, { aliases: 11 }],
])("an operation needs no permit of the expensive ones with %o, and one with %o", async (small, large) => {
  const running = bulkheadCounts.operations.running;
  const releaseSmall = await acquire(small, "192.0.2.1");
  expect(bulkheadCounts.operations.running).toBe(running);
  releaseSmall();
  const release = await acquire(large, `192.0.2.${Object.keys(large)[0]?.length}`);
  expect(bulkheadCounts.operations.running).toBe(running + 1);
  release();
  await expect.poll(() => bulkheadCounts.operations.running).toBe(running);
});

describe.each([
  ["quick_operations", 8, 6],
  ["short_operations", 3, 301],
] as const)("A4: %s", (name, most, cost) => {
  const origin = `192.0.2.${cost % 255}`;

  test(`run ${most} at a time for an IP address, cheaper ones at once`, async () => {
    const releases = await Promise.all(Array.from({ length: most }, () => acquire({ cost }, origin)));
    await Promise.all(Array.from({ length: 100 }, () => acquire({ cost: 5 }, origin)));
    const next = acquire({ cost }, origin);
    expect(await Promise.race([next, Promise.resolve("waits")])).toBe("waits");
    expect(bulkheadCounts[name]).toMatchObject({ running: most, waiting: 1 });
    releases.pop()?.();
    releases.push(await next);
    for (const release of releases) release();
  });

  test(`read the results of ${most} mutations at a time, which change something at once`, async () => {
    const mutations = await Promise.all(
      Array.from({ length: most + 1 }, () => acquire({ cost }, origin, "mutation")),
    );
    let [changes, read] = [0, 0];
    const results = mutations.map(async ({ queueResult }) => {
      await queueResult!(async () => changes++);
      read++;
    });
    await expect.poll(() => read).toBe(most);
    expect(changes).toBe(most + 1);
    // The next mutation of a document waits for its own work without a permit.
    const work = mutations[0]!.queueResult!(() => new Promise(() => undefined));
    await Promise.all(results);
    expect(await Promise.race([work, Promise.resolve("waits")])).toBe("waits");
    expect(bulkheadCounts[name]).toMatchObject({ running: most, waiting: 0 });
    for (const release of mutations) release();
    expect(bulkheadCounts[name].running).toBe(0);
  });
});
