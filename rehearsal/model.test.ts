import { describe, expect, test } from "vitest";
import { readFigures } from "./figures.ts";
import { ASSUMED, findLimits, fit, needAt } from "./model.ts";
import { simulate } from "./simulation.ts";

const fitted = fit(readFigures().costs);

describe.each([1, 10, 100])("at %i times the load", (factor) => {
  const seconds = Math.max(2, 60 / factor);
  const usual = simulate(fitted, { factor, seconds });
  const busy = usual.busy["blog"] ?? 0;

  test("the processes that the model asks for are as busy in the simulation as the model says", () => {
    const need = needAt(factor, fitted);
    const expected = (need.blog / need.processes) * ASSUMED.utilization;
    expect(expected).toBeLessThanOrEqual(ASSUMED.utilization);
    expect(busy).toBeGreaterThan(expected * 0.8);
    expect(busy).toBeLessThan(expected * 1.2);
  });

  test("responses are fast, and no longer with twice the load that fills the processes", () => {
    expect(usual.p99).toBeLessThan(500);
    const overloaded = simulate(fitted, { factor, seconds, overload: 2 / busy });
    expect(overloaded.p99).toBeGreaterThan(3 * usual.p99);
  });
});

test("a write costs every process something, so that the number of processes has a limit", () => {
  const noisy = { ...fitted, notification: 1 };
  expect(needAt(10, noisy).processes).toBeLessThan(Infinity);
  expect(needAt(1_000, noisy).processes).toBe(Infinity);
});

test("limits are reached in the order of their multiples", () => {
  const limits = findLimits(fitted).map(({ at }) => at);
  expect(limits).toEqual([...limits].sort((one, other) => one - other));
  expect(limits[0]).toBeGreaterThan(0);
});
