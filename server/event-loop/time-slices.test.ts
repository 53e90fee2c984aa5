import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTimeSlicer } from "./time-slices.ts";

function work(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
}

/** Pieces of work, each in a slice. @returns the names in the order of the work, with one for each iteration of the event loop */
async function run(requests: Record<string, number>, milliseconds: number): Promise<string[]> {
  const order: string[] = [];
  let isOver = false;
  const iterations = (async () => {
    for (; !isOver; await setImmediate()) order.push("|");
  })();
  const pieces = Object.entries(requests).flatMap(([name, count]) => {
    const nextSlice = createTimeSlicer();
    return Array.from({ length: count }, async () => {
      await nextSlice();
      order.push(name);
      work(milliseconds);
    });
  });
  await Promise.all(pieces);
  isOver = true;
  await iterations;
  return order;
}

test("requests share a slice of each iteration of the event loop", async () => {
  const order = (await run({ a: 4, b: 4, c: 4 }, 6)).join("");
  expect(order.replaceAll("|", "")).toHaveLength(12);
  // Two of them, where the time of one is not noticed in time.
  expect(order).not.toMatch(/[abc]{3}/);
});

test("a request with little work does not wait for all the work of another one", async () => {
  const order = await run({ long: 50, short: 1 }, 1);
  expect(order.filter((name) => name !== "|").indexOf("short")).toBeLessThan(3);
});

test("short work runs in few iterations", async () => {
  const order = await run({ a: 500 }, 0);
  expect(order.filter((name) => name === "|").length).toBeLessThan(100);
});

test("R29A: after a long piece of work other networks wait less than its own", async () => {
  const order: string[] = [];
  const piece = async (network: string, milliseconds: number) => {
    await createTimeSlicer(network)();
    work(milliseconds);
    order.push(network);
    return performance.now();
  };
  const [ended, again, other] = await Promise.all([piece("a", 105), piece("a", 0), piece("b", 0)]);
  expect(order).toEqual(["a", "b", "a"]);
  expect(other - ended).toBeGreaterThan(95);
  expect(again - ended).toBeGreaterThan(195);
});
