import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createQueue } from "./queue.ts";

/** Work that goes on until it is told to end. */
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

/** Lets whoever was woken take their turn. */
const breathe = () => vi.advanceTimersByTimeAsync(0);
const busy = { code: "UNAVAILABLE", retryAfter: 5, message: expect.stringContaining("busy") };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a queue", () => {
  test("lets so many work at a time, and the rest in the order they came", async () => {
    const inTurn = createQueue({ concurrency: 2, maxQueued: 10, timeoutMs: 1_000 });
    const holds = [hold(), hold(), hold(), hold()];
    const results = holds.map(({ work }) => inTurn(work));
    const begun = () => holds.map(({ work }) => work.mock.calls.length);
    await breathe();
    expect(begun()).toEqual([1, 1, 0, 0]);
    holds[1]?.finish("second");
    await breathe();
    expect(begun()).toEqual([1, 1, 1, 0]);
    for (const { finish } of holds) finish("done");
    expect(await Promise.all(results)).toEqual(["done", "second", "done", "done"]);
    expect(begun()).toEqual([1, 1, 1, 1]);
  });

  test("refuses at once whoever finds the line full", async () => {
    const inTurn = createQueue({ concurrency: 1, maxQueued: 2, timeoutMs: 1_000 });
    const [first, second, third, fourth] = [hold(), hold(), hold(), hold()];
    const results = [first, second, third].map(({ work }) => inTurn(work));
    await expect(inTurn(fourth.work)).rejects.toMatchObject(busy);
    for (const { finish } of [first, second, third]) finish("done");
    expect(await Promise.all(results)).toEqual(["done", "done", "done"]);
    expect(fourth.work).not.toHaveBeenCalled();
  });

  test("refuses whoever waited too long, and nobody else", async () => {
    const inTurn = createQueue({ concurrency: 1, maxQueued: 5, timeoutMs: 1_000 });
    const [first, second, third] = [hold(), hold(), hold()];
    const running = inTurn(first.work);
    const impatient = expect(inTurn(second.work)).rejects.toMatchObject(busy);
    await vi.advanceTimersByTimeAsync(600);
    const patient = inTurn(third.work);
    await vi.advanceTimersByTimeAsync(400);
    await impatient;
    first.finish("first");
    third.finish("third");
    expect(await Promise.all([running, patient])).toEqual(["first", "third"]);
    expect(second.work).not.toHaveBeenCalled();
  });

  test("does not hurry whoever has begun", async () => {
    const inTurn = createQueue({ concurrency: 1, maxQueued: 5, timeoutMs: 1_000 });
    const [first, second] = [hold(), hold()];
    const results = [inTurn(first.work), inTurn(second.work)];
    await vi.advanceTimersByTimeAsync(900);
    first.finish("first");
    await vi.advanceTimersByTimeAsync(60_000);
    second.finish("second");
    expect(await Promise.all(results)).toEqual(["first", "second"]);
  });

  test("goes on after work that failed, and passes the failure on", async () => {
    const inTurn = createQueue({ concurrency: 1, maxQueued: 5, timeoutMs: 1_000 });
    const [first, second] = [hold(), hold()];
    const failing = expect(inTurn(first.work)).rejects.toThrow("broken");
    const next = inTurn(second.work);
    first.fail(new Error("broken"));
    second.finish("second");
    await failing;
    expect(await next).toBe("second");
  });

  test("keeps its places when work throws at once, or after a refusal", async () => {
    const inTurn = createQueue({ concurrency: 1, maxQueued: 1, timeoutMs: 1_000 });
    const broken = () => {
      throw new Error("at once");
    };
    for (let time = 0; time < 3; time++) await expect(inTurn(broken)).rejects.toThrow("at once");
    const [first, second] = [hold(), hold()];
    const running = inTurn(first.work);
    const impatient = expect(inTurn(second.work)).rejects.toMatchObject(busy);
    await vi.advanceTimersByTimeAsync(1_000);
    await impatient;
    first.finish("first");
    await running;
    expect(await inTurn(async () => "again")).toBe("again");
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

  test("take turns, however many calls one of them has in the line", async () => {
    const inTurn = createQueue(limits);
    const done: string[] = [];
    const call = (key: string) => inTurn(async () => void done.push(key), key);
    const first = hold();
    const held = inTurn(first.work, "greedy");
    const others = ["greedy", "greedy", "greedy", "modest", "other", "modest"].map(call);
    first.finish("done");
    await Promise.all([held, ...others]);
    expect(done).toEqual(["modest", "other", "greedy", "modest", "greedy", "greedy"]);
  });

  test("are refused beyond their share of the line, and others are not", async () => {
    const inTurn = createQueue(limits);
    const first = hold();
    const held = inTurn(first.work, "greedy");
    const waiting = [1, 2, 3].map(() => inTurn(async () => "done", "greedy"));
    await expect(inTurn(async () => "done", "greedy")).rejects.toMatchObject(busy);
    const other = inTurn(async () => "done", "modest");
    first.finish("done");
    expect(await Promise.all([held, ...waiting, other])).toEqual(Array(5).fill("done"));
  });

  test("B13: find room in a line that others have filled, for which the newest of the one with most gives way", async () => {
    const inTurn = createQueue({ ...limits, maxQueued: 6 });
    const first = hold();
    const held = inTurn(first.work, "2001:db8:1:1::/64");
    const fill = [1, 2].flatMap((n) => [1, 2, 3].map(() => inTurn(async () => n, `2001:db8:${n}:7::/64`)));
    const outcomes = Promise.allSettled(fill);
    expect(
      await Promise.race([inTurn(async () => "too many", "2001:db8:2:9::/64").catch(() => "refused"), held]),
    ).toBe("refused");
    const newcomer = inTurn(async () => "served", "192.0.2.1");
    first.finish("done");
    expect(await newcomer).toBe("served");
    expect((await outcomes).map(({ status }) => status).sort()).toEqual([
      ...Array(5).fill("fulfilled"),
      "rejected",
    ]);
  });

  test("leave places free that they may not have themselves", async () => {
    const inTurn = createQueue({ ...limits, concurrency: 2 });
    const [first, second] = [hold(), hold()];
    const [held, waits] = [inTurn(first.work, "greedy"), inTurn(second.work, "greedy")];
    expect(await inTurn(async () => "at once", "modest")).toBe("at once");
    expect(second.work).not.toHaveBeenCalled();
    first.finish("first");
    second.finish("second");
    expect(await Promise.all([held, waits])).toEqual(["first", "second"]);
  });

  test("leave nothing behind", async () => {
    const counts = { running: 0, waiting: 0 };
    const inTurn = createQueue(limits, counts);
    const calls = Array.from({ length: 30 }, (_, n) =>
      inTurn(async () => "done", `${n % 7}`).catch(() => "refused"),
    );
    await Promise.all(calls);
    expect(counts).toEqual({ running: 0, waiting: 0 });
  });
});
