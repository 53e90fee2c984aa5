import { expect, test } from "vitest";
import { pointsOf } from "./sparkline.tsx";

test("the line fills the box, with its largest value at the top", () => {
  expect(pointsOf([0, 5, 10])).toEqual([
    { x: 0, y: 27 },
    { x: 60, y: 14 },
    { x: 120, y: 1 },
  ]);
});

test("zeros are at the bottom, and a single value is valid", () => {
  expect(pointsOf([0, 0]).map(({ y }) => y)).toEqual([27, 27]);
  expect(pointsOf([])).toEqual([]);
  expect(pointsOf([3])).toEqual([{ x: 0, y: 1 }]);
});
