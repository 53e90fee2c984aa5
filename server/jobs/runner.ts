import { setTimeout } from "node:timers/promises";
import type { Runner, WorkerEvents } from "graphile-worker";
import type { Log } from "./deliver-email.ts";
import { lockLiveWorkers } from "./live-workers.ts";

/** Milliseconds between attempts while the database is away. */
const PAUSE = 1_000;

/**
 * Runs workers, and replaces them when one could not report the end of its job: Graphile Worker would go on without it, and the
 * job would stay locked for as long as the others hold their locks.
 */
export async function openRunner(start: (events: WorkerEvents) => Promise<Runner>, log?: Log) {
  let isStopped = false;
  let current = await begin();
  const supervision = supervise();

  /** `ended` resolves with the reason. */
  async function begin() {
    const { events, unlock } = lockLiveWorkers();
    const lost = new Promise<unknown>((resolve) =>
      events.once("worker:fatalError", ({ error }) => resolve(error)),
    );
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
