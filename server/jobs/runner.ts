import { setTimeout } from "node:timers/promises";
import type { Runner, WorkerEvents } from "graphile-worker";
import type { Log } from "./deliver-email.ts";
import { lockLiveWorkers } from "./live-workers.ts";

/** Milliseconds between attempts while the database is away. */
const PAUSE = 1_000;
/** Failures in a row, one a second of each worker, to look for a job. */
const MAX_FAILURES = 40;

/**
 * Runs workers, and replaces them when one could not report the end of its job, which would stay locked for as long as the
 * others hold their locks, and when they find no job for long: a failure of Graphile Worker's first statement stays for good.
 */
export async function openRunner(start: (events: WorkerEvents) => Promise<Runner>, log?: Log) {
  let isStopped = false;
  let current = await begin();
  const supervision = supervise();

  /** `ended` resolves with the reason. */
  async function begin() {
    const { events, unlock } = lockLiveWorkers();
    const lost = new Promise<unknown>((resolve) => {
      let failures = 0;
      const succeed = () => void (failures = 0);
      events.once("worker:fatalError", ({ error }) => resolve(error));
      events.on("worker:getJob:empty", succeed).on("job:start", succeed);
      events.on("worker:getJob:error", ({ error }) => ++failures >= MAX_FAILURES && resolve(error));
    });
    const runner = await start(events);
    return { runner, unlock, ended: Promise.race([lost, runner.promise.catch((error: unknown) => error)]) };
  }

  const stopCurrent = () => current.runner.stop().catch(() => undefined);

  async function supervise(): Promise<void> {
    for (let err = await current.ended; !isStopped; err = await current.ended) {
      log?.warn({ err }, "the workers of jobs are replaced");
      await stopCurrent();
      await current.unlock();
      while (!isStopped) {
        const next = await begin().catch(() => null);
        if (next) {
          current = next;
          break;
        }
        await setTimeout(PAUSE);
      }
    }
  }

  const addJob: Runner["addJob"] = (...job) => current.runner.addJob(...job);
  return {
    addJob,
    async stop(): Promise<void> {
      isStopped = true;
      await stopCurrent();
      await supervision;
      await stopCurrent();
    },
  };
}
