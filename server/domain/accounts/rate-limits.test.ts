import { beforeAll, expect, test, vi } from "vitest";
import { ctxOf, HOUR, nextOrigin } from "../../testing/accounts.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { consumeOrThrow, rateLimits, removeHits } from "./rate-limits.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});

test("a flood beyond a limit waits for no row, and costs a statement every five seconds", async () => {
  const rule = rateLimits.registrations(nextOrigin());
  const start = Date.now();
  const consumeAt = (milliseconds: number) =>
    consumeOrThrow(ctxOf(blog, { now: () => new Date(start + milliseconds) }), rule);
  const count = vi.spyOn(blog.services.writes, "countInWindow");
  const results = await Promise.allSettled(Array.from({ length: 300 }, () => consumeAt(0)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(rule.limit);
  expect(count).toHaveBeenCalledTimes(rule.limit + 1);
  await expect(consumeAt(4_000)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  expect(count).toHaveBeenCalledTimes(rule.limit + 1);
  await expect(consumeAt(6_000)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  expect(count).toHaveBeenCalledTimes(rule.limit + 2);
  await removeHits(ctxOf(blog), rule, 10);
  await expect(consumeAt(7_000)).resolves.toBeUndefined();
  await expect(consumeAt(HOUR + 1_000)).resolves.toBeUndefined();
  count.mockRestore();
});
