import { expect, onTestFinished, test, vi } from "vitest";
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
