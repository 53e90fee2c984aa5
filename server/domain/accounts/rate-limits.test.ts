import { beforeAll, expect, test, vi } from "vitest";
import { ctxOf, HOUR, MINUTE, nextOrigin, uncheckedViewer } from "../../testing/accounts.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import type { Quota } from "../context.ts";
import { limitWrites } from "../write-limits.ts";
import { consumeOrThrow, rateLimits, refuseExhausted, removeHits } from "./rate-limits.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});

test("a flood beyond a limit waits for no row, and costs a statement every five seconds", async () => {
  const rule = rateLimits.registrations(nextOrigin());
  const start = Date.now();
  const consumeAt = (milliseconds: number) =>
    consumeOrThrow(ctxOf(blog, { now: () => new Date(start + milliseconds) }), rule);
  const count = vi.spyOn(blog.services.writes, "addToCounters");
  const results = await Promise.allSettled(Array.from({ length: 300 }, () => consumeAt(0)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(rule.limit);
  expect(count).toHaveBeenCalledTimes(rule.limit + 1);
  await expect(consumeAt(4_000)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  expect(count).toHaveBeenCalledTimes(rule.limit + 1);
  await expect(consumeAt(6_000)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  expect(count).toHaveBeenCalledTimes(rule.limit + 2);
  await removeHits(ctxOf(blog), [rule], 10);
  await expect(consumeAt(7_000)).resolves.toBeUndefined();
  await expect(consumeAt(HOUR + 1_000)).resolves.toBeUndefined();
  count.mockRestore();
});

/** Comments by an account, at a time in minutes. @returns how many of them are made, and the last error */
async function writeAt(
  minutes: number,
  count: number,
  account: { id: string; origin: string; isAdmin?: boolean },
) {
  const { id, origin, isAdmin } = account;
  const viewer = uncheckedViewer(id, isAdmin);
  const now = () => new Date(start + minutes * MINUTE);
  const writes = Array.from({ length: count }, () =>
    limitWrites(ctxOf(blog, { viewer, origin, now }), "comments", async () => undefined),
  );
  const results = await Promise.allSettled(writes);
  const errors = results.flatMap((result) => (result.status === "rejected" ? [result.reason as Error] : []));
  return { made: count - errors.length, error: errors.at(-1) };
}

const start = Date.now();

test("an account and an IP address have limits per day, ten times those of ten minutes, and admins have none", async () => {
  Object.assign(blog.services, { writeLimits: { comments: 3 } });
  const origin = nextOrigin();
  const maya = { id: "maya", origin };
  for (let n = 0; n < 10; n++) expect((await writeAt(11 * n, 4, maya)).made).toBe(3);
  const { made, error } = await writeAt(120, 2, maya);
  expect([made, error]).toMatchObject([0, { code: "RATE_LIMITED", retryAfter: 22 * 3600 }]);
  expect(error?.message).toBe("too many attempts, please try again in 22 hours");
  for (let n = 0; n < 20; n++) {
    const account = { id: `account-${n % 4}`, origin };
    expect((await writeAt(130 + 11 * n, 4, account)).made).toBe(3);
  }
  expect((await writeAt(400, 2, { id: "account-9", origin })).made).toBe(0);
  expect((await writeAt(400, 2, { id: "admin", origin, isAdmin: true })).made).toBe(2);
  expect((await writeAt(400, 2, { id: "account-9", origin: nextOrigin() })).made).toBe(2);
  expect((await writeAt(24 * 60 + 1, 4, maya)).made).toBe(3);
});

test("a refused write counts for the limit that it exceeds alone", async () => {
  Object.assign(blog.services, { writeLimits: { comments: 3 } });
  const origin = nextOrigin();
  await writeAt(0, 6, { id: "sam", origin });
  const counters = await blog.db.throttle.findMany({
    where: { key: { contains: "sam" } },
    orderBy: { key: "asc" },
  });
  expect(counters.map(({ key, hits }) => `${key}: ${hits}`)).toEqual([
    "comments sam: 4",
    "comments-of-day sam: 3",
  ]);
  const { hits } = await blog.db.throttle.findUniqueOrThrow({ where: { key: `comments from ${origin}` } });
  expect(hits).toBe(3);
});

test("counts concurrent writes of several accounts and addresses exactly, and refunds those that fail", async () => {
  Object.assign(blog.services, { writeLimits: { comments: 1_000 } });
  const origins = ["2001:db8:9:1::/64", "2001:db8:9:2::/64"];
  const write = (n: number) => {
    const viewer = uncheckedViewer(`writer-${n % 3}`);
    const fails = n % 5 === 0;
    const run = () => (fails ? Promise.reject(new Error("failed")) : Promise.resolve());
    return limitWrites(ctxOf(blog, { viewer, origin: origins[n % 2]! }), "comments", run);
  };
  const results = await Promise.allSettled(Array.from({ length: 300 }, (_, n) => write(n)));
  const failures = results.flatMap((result) => (result.status === "rejected" ? [String(result.reason)] : []));
  expect(failures).toEqual(Array(60).fill("Error: failed"));
  const hitsOf = async (key: string) => (await blog.db.throttle.findUnique({ where: { key } }))?.hits;
  for (const day of ["", "-of-day"]) {
    expect(await hitsOf(`comments${day} writer-0`)).toBe(80);
    expect(await hitsOf(`comments${day} from ${origins[0]}`)).toBe(120);
    expect(await hitsOf(`comments${day} from 2001:db8:9::/48`)).toBe(240);
  }
});

test("accounts in one IPv6 /48 share limits, thirty times those of an account", async () => {
  Object.assign(blog.services, { writeLimits: { comments: 4 } });
  const limitsOf = async (origin: string) => {
    const ctx = {
      ...ctxOf(blog, { viewer: uncheckedViewer("lea") }),
      origin,
      quotas: new Map<string, Quota>(),
    };
    await limitWrites(ctx, "comments", async () => undefined);
    return Object.fromEntries([...ctx.quotas.values()].map(({ name, limit }) => [name, limit]));
  };
  const ofAddress = {
    ...{ comments: 4, "comments-of-address": 12 },
    ...{ "comments-of-day": 40, "comments-of-address-of-day": 120 },
  };
  expect(await limitsOf("192.0.2.1")).toEqual(ofAddress);
  expect(await limitsOf("2001:db8:7:1::/64")).toEqual({
    ...ofAddress,
    ...{ "comments-of-address-of-network": 120, "comments-of-address-of-day-of-network": 1_200 },
  });
});

test("B49: what was counted while a clock was ahead does not count once it is right", async () => {
  const rule = rateLimits.registrations(nextOrigin());
  const ctxAt = (time: number) => ctxOf(blog, { now: () => new Date(time) });
  const yearAhead = ctxAt(start + 365 * 24 * HOUR);
  for (let n = 0; n < rule.limit; n++) await consumeOrThrow(yearAhead, rule);
  await expect(refuseExhausted(yearAhead, rule)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  await expect(refuseExhausted(ctxAt(start), rule)).resolves.toBeUndefined();
  for (let n = 0; n < rule.limit; n++) await consumeOrThrow(ctxAt(start), rule);
  // Clocks of two machines differ a little.
  await expect(consumeOrThrow(ctxAt(start - 30_000), rule)).rejects.toMatchObject({ code: "RATE_LIMITED" });
});
