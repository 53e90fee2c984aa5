import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { flash, flashed } from "./flash.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("a notice shows for 2000 ms, and a newer one for its own 2000 ms", () => {
  const listener = vi.fn();
  const stop = flashed.subscribe(listener);
  flash("Your post is published");
  vi.advanceTimersByTime(1999);
  expect(flashed.read().text).toBe("Your post is published");
  flash("Your account is gone");
  vi.advanceTimersByTime(1999);
  expect(flashed.read().text).toBe("Your account is gone");
  vi.advanceTimersByTime(1);
  expect(flashed.read().text).toBe("");
  expect(listener).toHaveBeenCalledTimes(3);
  stop();
});
