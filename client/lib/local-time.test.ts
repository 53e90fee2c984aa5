import { expect, test } from "vitest";
import { isPast, timeZone, toLocalTime } from "./local-time.ts";

test("a time becomes the value of a field and the same time again", () => {
  const time = new Date(2026, 0, 5, 7, 9);
  expect(toLocalTime(time)).toBe("2026-01-05T07:09");
  expect(new Date(toLocalTime(time))).toEqual(time);
});

test("a time of the past is known as such", () => {
  expect(isPast(toLocalTime(new Date(Date.now() - 60_000)))).toBe(true);
  expect(isPast(toLocalTime(new Date(Date.now() + 120_000)))).toBe(false);
});

test("the time zone has a readable name", () => {
  expect(timeZone()).toMatch(/^[\w/+ -]+$/);
});
