import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { HEAVY_TIME } from "./limits.ts";
import { bulkheadCounts, countWaiting, createQueue, refusalCounts } from "./queue.ts";

/** Work that runs until it is released. */
function hold() {
  let finish: (value: string) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const ended = new Promise<string>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  const work = vi.fn(() => ended);
  return { work, finish, fail };
}

/** Runs pending promise callbacks. */
const flushPromises = () => vi.advanceTimersByTimeAsync(0);
const busy = { code: "UNAVAILABLE", retryAfter: 5, message: expect.stringContaining("busy") };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([
  ["details", 1],
  ["relations", 0],
] as const)("a caller that waits in the queue %s is counted as %i waiting requests", async (name, count) => {
  const run = createQueue({ concurrency: 1, maxQueued: 5, timeoutMs: 1_000 }, name);
  const { work, finish } = hold();
  const results = [run(work), run(work)];
  await flushPromises();
  expect(countWaiting()).toBe(count);
  finish("done");
  await Promise.all(results);
  expect(countWaiting()).toBe(0);
});

test("a permit that is released twice is free once", async () => {
  const { acquire } = createQueue({ concurrency: 1, maxQueued: 5, timeoutMs: 1_000 }, "details");
  const release = await acquire();
  for (let n = 0; n < 2; n++) release();
  const others = [acquire(), acquire()];
  await flushPromises();
  expect(bulkheadCounts.details).toEqual({ running: 1, waiting: 1 });
  for (const other of others) (await other)();
});

describe("a queue", () => {
  test("runs up to its concurrency, and the rest in order of arrival", async () => {
    const run = createQueue({ concurrency: 2, maxQueued: 10, timeoutMs: 1_000 });
    const holds = [hold(), hold(), hold(), hold()];
    const results = holds.map(({ work }) => run(work));
    const begun = () => holds.map(({ work }) => work.mock.calls.length);
    await flushPromises();
    expect(begun()).toEqual([1, 1, 0, 0]);
    holds[1]?.finish("second");
    await flushPromises();
    expect(begun()).toEqual([1, 1, 1, 0]);
    for (const { finish } of holds) finish("done");
    expect(await Promise.all(results)).toEqual(["done", "second", "done", "done"]);
    expect(begun()).toEqual([1, 1, 1, 1]);
  });

  test("R28A, R34A: lets a network wait after heavy work of any kind, and runs others meanwhile", async () => {
    const limits = { concurrency: 1, maxQueued: 10, timeoutMs: 60_000, isHeavy: true };
    const [searches, hashes] = [createQueue(limits), createQueue(limits)];
    const began: string[] = [];
    const start = (run: typeof searches, name: string, network: string) =>
      run(async () => {
        began.push(`${name} at ${Math.round(performance.now() - since)} ms`);
        await new Promise<void>((done) => setTimeout(done, HEAVY_TIME.atOnce));
      }, network);
    const since = performance.now();
    const results = [
      start(searches, "search", "198.51.100.1"),
      start(hashes, "hash", "198.51.100.1"),
      start(searches, "search of another", "198.51.100.2"),
      start(hashes, "second hash", "198.51.100.1"),
      start(hashes, "hash of the machine", "127.0.0.1"),
    ];
    await vi.advanceTimersByTimeAsync(60_000);
    await Promise.all(results);
    const paid = HEAVY_TIME.atOnce + HEAVY_TIME.atOnce / HEAVY_TIME.share;
    expect(began).toEqual([
      "search at 0 ms",
      "hash at 0 ms",
      `search of another at ${HEAVY_TIME.atOnce} ms`,
      `hash of the machine at ${HEAVY_TIME.atOnce} ms`,
      `second hash at ${paid} ms`,
    ]);
  });

  test("serves a new caller before one that was served before, also with one connection each", async () => {
    const run = createQueue({ concurrency: 1, maxQueued: 10, timeoutMs: 1_000 });
    await run(async () => undefined, "busy");
    const first = hold();
    const order: string[] = [];
    const results = [
      run(first.work, "other"),
      run(async () => order.push("busy"), "busy"),
      run(async () => order.push("new"), "new"),
    ];
    await flushPromises();
    first.finish("done");
    await Promise.all(results);
    expect(order).toEqual(["new", "busy"]);
  });

  test("refuses at once if it is full", async () => {
    const run = createQueue({ concurrency: 1, maxQueued: 2, timeoutMs: 1_000 });
    const [first, second, third, fourth] = [hold(), hold(), hold(), hold()];
    const results = [first, second, third].map(({ work }) => run(work));
    await expect(run(fourth.work)).rejects.toMatchObject(busy);
    for (const { finish } of [first, second, third]) finish("done");
    expect(await Promise.all(results)).toEqual(["done", "done", "done"]);
    expect(fourth.work).not.toHaveBeenCalled();
  });

  test("refuses only callers that waited too long", async () => {
    const run = createQueue({ concurrency: 1, maxQueued: 5, timeoutMs: 1_000 });
    const [first, second, third] = [hold(), hold(), hold()];
    const running = run(first.work);
    const impatient = expect(run(second.work)).rejects.toMatchObject(busy);
    await vi.advanceTimersByTimeAsync(600);
    const patient = run(third.work);
    await vi.advanceTimersByTimeAsync(400);
    await impatient;
    first.finish("first");
    third.finish("third");
    expect(await Promise.all([running, patient])).toEqual(["first", "third"]);
    expect(second.work).not.toHaveBeenCalled();
  });

  test("sets no deadline for running work", async () => {
    const run = createQueue({ concurrency: 1, maxQueued: 5, timeoutMs: 1_000 });
    const [first, second] = [hold(), hold()];
    const results = [run(first.work), run(second.work)];
    await vi.advanceTimersByTimeAsync(900);
    first.finish("first");
    await vi.advanceTimersByTimeAsync(60_000);
    second.finish("second");
    expect(await Promise.all(results)).toEqual(["first", "second"]);
  });

  test("continues after failed work, and rethrows its error", async () => {
    const run = createQueue({ concurrency: 1, maxQueued: 5, timeoutMs: 1_000 });
    const [first, second] = [hold(), hold()];
    const failing = expect(run(first.work)).rejects.toThrow("broken");
    const next = run(second.work);
    first.fail(new Error("broken"));
    second.finish("second");
    await failing;
    expect(await next).toBe("second");
  });

  test("keeps its permits if work throws synchronously, or after a refusal", async () => {
    const run = createQueue({ concurrency: 1, maxQueued: 1, timeoutMs: 1_000 });
    const broken = () => {
      throw new Error("at once");
    };
    for (let time = 0; time < 3; time++) await expect(run(broken)).rejects.toThrow("at once");
    const [first, second] = [hold(), hold()];
    const running = run(first.work);
    const impatient = expect(run(second.work)).rejects.toMatchObject(busy);
    await vi.advanceTimersByTimeAsync(1_000);
    await impatient;
    first.finish("first");
    await running;
    expect(await run(async () => "again")).toBe("again");
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("callers with a key", () => {
  const limits = {
    concurrency: 1,
    maxQueued: 20,
    timeoutMs: 1_000,
    perKey: { concurrency: 1, maxQueued: 3 },
  };

  test("are served fairly, however many entries one of them has", async () => {
    const run = createQueue(limits);
    const done: string[] = [];
    const call = (key: string) => run(async () => void done.push(key), key);
    const first = hold();
    const held = run(first.work, "greedy");
    const others = ["greedy", "greedy", "greedy", "modest", "other", "modest"].map(call);
    first.finish("done");
    await Promise.all([held, ...others]);
    expect(done).toEqual(["modest", "other", "greedy", "modest", "greedy", "greedy"]);
  });

  test("are refused above their share of the queue, unlike others", async () => {
    const run = createQueue(limits);
    const first = hold();
    const held = run(first.work, "greedy");
    const waiting = [1, 2, 3].map(() => run(async () => "done", "greedy"));
    await expect(run(async () => "done", "greedy")).rejects.toMatchObject(busy);
    const other = run(async () => "done", "modest");
    first.finish("done");
    expect(await Promise.all([held, ...waiting, other])).toEqual(Array(5).fill("done"));
  });

  test("B13: enter a full queue, which evicts the newest entry of the key with the most", async () => {
    const run = createQueue({ ...limits, maxQueued: 6 });
    const first = hold();
    const held = run(first.work, "2001:db8:1:1::/64");
    const fill = [1, 2].flatMap((n) => [1, 2, 3].map(() => run(async () => n, `2001:db8:${n}:7::/64`)));
    const outcomes = Promise.allSettled(fill);
    expect(
      await Promise.race([run(async () => "too many", "2001:db8:2:9::/64").catch(() => "refused"), held]),
    ).toBe("refused");
    const newcomer = run(async () => "served", "192.0.2.1");
    first.finish("done");
    expect(await newcomer).toBe("served");
    expect((await outcomes).map(({ status }) => status).sort()).toEqual([
      ...Array(5).fill("fulfilled"),
      "rejected",
    ]);
  });

  test("leave permits above their own share to others", async () => {
    const run = createQueue({ ...limits, concurrency: 2 });
    const [first, second] = [hold(), hold()];
    const [held, waits] = [run(first.work, "greedy"), run(second.work, "greedy")];
    expect(await run(async () => "at once", "modest")).toBe("at once");
    expect(second.work).not.toHaveBeenCalled();
    first.finish("first");
    second.finish("second");
    expect(await Promise.all([held, waits])).toEqual(["first", "second"]);
  });

  test("leave no state behind", async () => {
    // Deferred emails of an earlier test file may still be running.
    const run = createQueue(limits, "idempotency_keys");
    const before = refusalCounts.idempotency_keys;
    const calls = Array.from({ length: 30 }, (_, n) =>
      run(async () => "done", `${n % 7}`).catch(() => "refused"),
    );
    const refused = (await Promise.all(calls)).filter((result) => result === "refused");
    expect(refused.length).toBeGreaterThan(0);
    expect(refusalCounts.idempotency_keys).toBe(before + refused.length);
    expect(bulkheadCounts.idempotency_keys).toEqual({ running: 0, waiting: 0 });
  });
});
