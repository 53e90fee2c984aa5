import type { Server } from "node:http";
import { createFairQueue, type FairQueue } from "../../event-loop/fair-queue.ts";
import { afterPromiseCallbacks, createHeavyTasks } from "../../event-loop/heavy-tasks.ts";

/** Milliseconds of each queue in an event-loop iteration. A request needs an iteration for each SQL statement, so they have to be short. */
const SLICE = 1;
/** The same for heavy tasks of many networks, and for queues that new connections have delayed. */
const LONG_SLICE = 5;

const QUICK_TASK_MS = 10;

/** Iterations and milliseconds for which requests wait while connections arrive, and iterations for monitoring and heavy tasks. */
const MAX_DELAYED = 100;
const MAX_DELAY_MS = 200;
const MAX_TASKS_DELAYED = 25;

/**
 * Node accepts one connection per event-loop iteration, so work is sliced into milliseconds and starts after pending accepts.
 * Otherwise a connection, such as a health check, would wait one long iteration for each connection before it.
 */
export function createScheduler(server: Server) {
  const [quick, monitoring] = [createFairQueue(), createFairQueue()];
  const [statements, requests] = [createFairQueue(), createFairQueue()];
  const heavyTasks = createHeavyTasks({ quickMs: QUICK_TASK_MS });
  let [isScheduled, hasNewConnection, since, delayed] = [false, false, 0, 0];
  let pause: NodeJS.Timeout | undefined;
  server.on("connection", () => void (hasNewConnection = true));
  const enqueue = (queue: Pick<FairQueue, "push">, start: () => void, key = "") => {
    queue.push(key, start);
    if (isScheduled && !pause) return;
    clearTimeout(pause);
    [isScheduled, since, pause] = [true, performance.now(), undefined];
    setImmediate(iterate);
  };
  async function iterate() {
    const isDelayed = hasNewConnection && ++delayed < MAX_DELAYED && performance.now() - since < MAX_DELAY_MS;
    const slice = delayed > 0 ? LONG_SLICE : SLICE;
    if (!isDelayed) await runQueued(quick, slice);
    if (!isDelayed || delayed % MAX_TASKS_DELAYED === 0) {
      await runQueued(monitoring, SLICE);
      await runQueued(statements, SLICE);
      if (heavyTasks.length() > 0) await heavyTasks.run(isDelayed ? 0 : LONG_SLICE);
    }
    if (!isDelayed) {
      await runQueued(requests, slice);
      [since, delayed] = [performance.now(), 0];
    }
    hasNewConnection = false;
    const isBusy = [quick, monitoring, statements, requests].some((queue) => queue.length() > 0);
    isScheduled = isBusy || heavyTasks.length() > 0;
    if (!isScheduled) return;
    const rest = isBusy ? 0 : heavyTasks.untilNext();
    if (rest < 1) return void setImmediate(iterate);
    pause = setTimeout(() => {
      pause = undefined;
      void iterate();
    }, rest);
  }
  return {
    begin: (start: () => void, network?: string) => enqueue(requests, start, network),
    monitor: (start: () => void, network: string) => enqueue(monitoring, start, network),
    waiting: () => requests.length(),
    waitingOf: requests.lengthOf,
    /** For quick work, such as refusals, which runs first. */
    quick: (start: () => void, network?: string) => enqueue(quick, start, network),
    /** Resolves when a statement by Prisma may begin, which takes up to a millisecond. */
    nextStatement: (network: string) => new Promise<void>((start) => enqueue(statements, start, network)),
    /** Resolves when a request may do heavy work: one per event-loop iteration, or several while many networks have some. */
    next: (network?: string) => new Promise<void>((start) => enqueue(heavyTasks, start, network)),
  };
}

export type Scheduler = ReturnType<typeof createScheduler>;

/** Tasks started between two checks of the time. */
const BATCH = 4;

/** @param slice milliseconds; at least one task is started */
async function runQueued(queue: FairQueue, slice: number): Promise<void> {
  const end = performance.now() + slice;
  do {
    for (const start of queue.take(BATCH)) start();
    if (queue.length() > 0) await afterPromiseCallbacks();
  } while (queue.length() > 0 && performance.now() < end);
}
