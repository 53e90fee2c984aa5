import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { flash, flashed } from "./flash.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("what was done is said for 2000 ms, and the latest has its own", () => {
  const heard = vi.fn();
  const stop = flashed.subscribe(heard);
  flash("Your post is published");
  vi.advanceTimersByTime(1999);
  expect(flashed.read()).toBe("Your post is published");
  flash("Your account is gone");
  vi.advanceTimersByTime(1999);
  expect(flashed.read()).toBe("Your account is gone");
  vi.advanceTimersByTime(1);
  expect(flashed.read()).toBe("");
  expect(heard).toHaveBeenCalledTimes(3);
  stop();
});
