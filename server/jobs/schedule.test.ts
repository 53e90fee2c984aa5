import { expect, onTestFinished, test, vi } from "vitest";
import type { Services } from "../domain/context.ts";
import { startPublishing } from "./publish-due.ts";
import { intervals, startSchedule, type ScheduledJob } from "./schedule.ts";

const jobs = Object.keys(intervals) as ScheduledJob[];
const every10 = Object.fromEntries(jobs.map((job) => [job, 10])) as Record<ScheduledJob, number>;

test("each job is added at its interval, even after a failure", async () => {
  const added: string[] = [];
  const warn = vi.fn();
  let isAway = true;
  const add = async (job: string) => {
    if (isAway) throw new Error("the database is away");
    added.push(job);
  };
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  onTestFinished(() => void process.off("unhandledRejection", unhandled));
  onTestFinished(startSchedule(add, { warn }, every10));
  await vi.waitUntil(() => warn.mock.calls.length >= jobs.length, { timeout: 5_000 });
  isAway = false;
  await vi.waitUntil(() => new Set(added).size === jobs.length, { timeout: 5_000 });
  expect(unhandled).not.toHaveBeenCalled();
});

test("nothing is added once it has stopped", async () => {
  const add = vi.fn(async () => undefined);
  startSchedule(add, undefined, every10)();
  await new Promise((done) => setTimeout(done, 50));
  expect(add).not.toHaveBeenCalled();
});

test("a publication that fails every second is logged once a minute", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const err = new Error("the database is away");
  const dueDrafts = vi.fn().mockRejectedValue(err);
  const services = { queries: { dueDrafts }, now: () => new Date() } as unknown as Services;
  const warn = vi.fn();
  const stop = startPublishing(services, async () => undefined, { warn });
  await vi.advanceTimersByTimeAsync(59_500);
  expect(dueDrafts.mock.calls.length).toBeGreaterThan(50);
  expect(warn.mock.calls).toEqual([[{ err }, expect.stringContaining("could not be published")]]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(warn).toHaveBeenCalledTimes(2);
  await stop();
});
