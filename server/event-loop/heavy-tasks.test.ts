import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createHeavyTasks } from "./heavy-tasks.ts";

test("R30A F4: a long task of one kind pauses tasks of all kinds, those of its network twice as long", async () => {
  const [texts, pages] = [createHeavyTasks({ quickMs: 5 }), createHeavyTasks({ quickMs: 10 })];
  texts.push("192.0.2.1", () => {
    for (const end = performance.now() + 105; performance.now() < end;);
  });
  await texts.run();
  const started: string[] = [];
  for (const network of ["192.0.2.1", "192.0.2.2"]) pages.push(network, () => started.push(network));
  await pages.run();
  expect(started).toEqual([]);
  expect(pages.untilNext()).toBeGreaterThan(50);
  await sleep(pages.untilNext() + 2);
  await pages.run();
  expect(started).toEqual(["192.0.2.2"]);
  expect(pages.untilNext()).toBeGreaterThan(50);
  await sleep(pages.untilNext() + 2);
  await pages.run();
  expect(started).toEqual(["192.0.2.2", "192.0.2.1"]);
});
