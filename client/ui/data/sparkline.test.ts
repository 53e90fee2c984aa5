import { expect, test } from "vitest";
import { placePoints } from "./sparkline.tsx";

test("a course fills the whole box, its largest value at the top", () => {
  expect(placePoints([0, 5, 10])).toEqual([
    { x: 0, y: 27 },
    { x: 60, y: 14 },
    { x: 120, y: 1 },
  ]);
});

test("days on which nothing happened lie flat at the foot, and one day is no error", () => {
  expect(placePoints([0, 0]).map(({ y }) => y)).toEqual([27, 27]);
  expect(placePoints([])).toEqual([]);
  expect(placePoints([3])).toEqual([{ x: 0, y: 1 }]);
});
