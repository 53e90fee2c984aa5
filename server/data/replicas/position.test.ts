import { expect, test } from "vitest";
import { bytesBetween, maxPosition, parsePosition, timelineOf, toPosition } from "./position.ts";

test("positions are ordered by their log, and across a failover by the timeline", () => {
  const [early, late] = [toPosition(1, "0/FFFFFFFF"), toPosition(1, "1/0")];
  expect(late > early).toBe(true);
  expect(bytesBetween(early, late)).toBe(1);
  expect(bytesBetween(late, early)).toBe(0);
  const promoted = toPosition(2, "0/16B3748");
  expect(maxPosition(late, promoted, early)).toBe(promoted);
  expect(bytesBetween(late, promoted)).toBeNaN();
  expect(timelineOf(promoted)).toBe(2);
});

test("the primary's text names the timeline as in the names of log files, which are hexadecimal", () => {
  expect(parsePosition("0000001A 2/16B3748")).toBe(toPosition(26, "2/16B3748"));
});
