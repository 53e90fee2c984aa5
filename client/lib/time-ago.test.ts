import { expect, test } from "vitest";
import { timeAgo } from "./time-ago.ts";

const now = new Date("2026-11-21T12:00:00Z");
const before = (seconds: number) => timeAgo(new Date(now.getTime() - seconds * 1000), now);

test("times use the largest unit that fits, rounded down", () => {
  expect(before(5)).toBe("just now");
  expect(before(60)).toBe("1 minute ago");
  expect(before(59 * 60 + 59)).toBe("59 minutes ago");
  expect(before(3 * 3600)).toBe("3 hours ago");
  expect(before(24 * 3600)).toBe("yesterday");
  expect(before(8 * 24 * 3600)).toBe("last week");
  expect(before(40 * 24 * 3600)).toBe("last month");
  expect(before(400 * 24 * 3600)).toBe("last year");
  expect(before(800 * 24 * 3600)).toBe("2 years ago");
});

test("a time in the future is just now", () => {
  expect(before(-30)).toBe("just now");
});
