import { expect, onTestFinished, test, vi } from "vitest";
import { BlogError } from "../errors.ts";
import type { Ctx } from "./context.ts";
import { finishDeferredWork, runDeferred } from "./deferred-work.ts";

const ctx = { db: "waits for turns", unqueuedDb: "does not", origin: "192.0.2.1" } as unknown as Ctx;

test("work after a response waits for no turn of the sender's network", async () => {
  const clients: unknown[] = [];
  const work = async ({ db }: Ctx) => void clients.push(db);
  for (const kind of ["emails", "relations"] as const)
    runDeferred(ctx, { kind, key: "a" }, work, () => undefined);
  await finishDeferredWork();
  expect(clients).toEqual(["does not", "does not"]);
});

test("an email does not wait for the related posts of others", async () => {
  const key = "192.0.2.1";
  const done: string[] = [];
  let finish = () => {};
  const promise = new Promise<void>((resolve) => (finish = resolve));
  const run = (kind: "emails" | "relations", work?: Promise<void>) =>
    runDeferred(
      ctx,
      { kind, key },
      async () => {
        await work;
        done.push(kind);
      },
      (error) => void done.push(String(error)),
    );
  run("relations", promise);
  run("relations");
  run("emails");
  const allDone = finishDeferredWork();
  await expect.poll(() => done).toEqual(["emails"]);
  finish();
  await allDone;
  expect(done).toEqual(["emails", "relations", "relations"]);
});

test("an email begins one to five seconds after the response, or when all have to end", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const begun: number[] = [];
  const start = Date.now();
  const send = () =>
    runDeferred(
      ctx,
      { kind: "emails", key: "a" },
      async () => void begun.push(Date.now() - start),
      () => undefined,
    );
  for (let n = 0; n < 20; n++) send();
  await vi.advanceTimersByTimeAsync(5_000 + 20 * 80);
  expect(begun).toHaveLength(20);
  expect(Math.min(...begun)).toBeGreaterThanOrEqual(1_000);
  expect(Math.max(...begun)).toBeGreaterThan(2_500);
  send();
  const done = finishDeferredWork();
  await vi.advanceTimersByTimeAsync(80);
  await done;
  expect(begun.at(-1)).toBe(5_000 + 20 * 80);
});

test("R26B: networks take turns, so that resets of one for invented addresses delay no others", async () => {
  const done: string[] = [];
  const send = (origin: string, key: string) =>
    runDeferred(
      { ...ctx, origin },
      { kind: "emails", key },
      async () => void done.push(key),
      () => undefined,
    );
  for (let n = 0; n < 40; n++) send(`2001:db8:0:${n % 4}::/64`, `invented${n}@example.com`);
  send("192.0.2.7", "maya@example.com");
  await finishDeferredWork();
  expect(done).toHaveLength(41);
  expect(done.indexOf("maya@example.com")).toBeLessThan(3);
});

test("R41B-1: an email is repeated while the database is away, and other errors are final", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const failures: string[] = [];
  const attempts = { away: 0, refused: 0 };
  const send = (key: keyof typeof attempts, work: () => void) =>
    runDeferred(
      ctx,
      { kind: "emails", key },
      async () => {
        attempts[key]++;
        work();
      },
      (error) => void failures.push(`${key}: ${String(error)}`),
    );
  send("away", () => {
    if (attempts.away < 10) throw new BlogError("UNAVAILABLE", "the database is away");
  });
  send("refused", () => {
    throw new Error("refused");
  });
  await vi.advanceTimersByTimeAsync(120_000);
  expect([attempts, failures]).toEqual([{ away: 10, refused: 1 }, ["refused: Error: refused"]]);
  await finishDeferredWork();
});

test("R41B-1: a stop waits for no database that is away", async () => {
  let attempts = 0;
  const failures: unknown[] = [];
  const work = async () => {
    attempts++;
    throw new BlogError("UNAVAILABLE", "the database is away");
  };
  runDeferred(ctx, { kind: "emails", key: "a" }, work, (error) => void failures.push(error));
  await finishDeferredWork();
  expect([attempts, failures.length]).toEqual([1, 1]);
});
