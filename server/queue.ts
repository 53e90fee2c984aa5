import { BlogError } from "./errors.ts";
import { BULKHEADS, type Bulkhead, type QueueLimits } from "./limits.ts";

type Counts = { running: number; waiting: number };

/** Of each kind of work, over all its queues in this process: for /metrics. */
export const bulkheadCounts = Object.fromEntries(
  Object.keys(BULKHEADS).map((name) => [name, { running: 0, waiting: 0 }]),
) as Record<Bulkhead, Counts>;

/** A queue with the limits of its kind of work, so that no kind can use up what the others need. */
export const createBulkhead = (name: Bulkhead, limits: Partial<QueueLimits> = {}) =>
  createQueue({ ...BULKHEADS[name], ...limits }, bulkheadCounts[name]);

let waitingAnywhere = 0;

/** How many wait in a line of ours just now, each bounded on its own. */
export const countWaiting = (): number => waitingAnywhere;

/**
 * Bounds work that is dear in memory or processor time.
 * @throws UNAVAILABLE with a time to come back when the queue is full or the wait too long
 */
export function createQueue(
  { concurrency, waiting, patience }: QueueLimits,
  counts: Counts = { running: 0, waiting: 0 },
) {
  const line: (() => void)[] = [];
  let running = 0;

  function enter(): Promise<void> {
    if (running < concurrency) {
      running++;
      counts.running++;
      return Promise.resolve();
    }
    if (line.length >= waiting) return Promise.reject(overload());
    return new Promise((resolve, reject) => {
      waitingAnywhere++;
      counts.waiting++;
      const leaveLine = () => {
        waitingAnywhere--;
        counts.waiting--;
      };
      const admit = () => {
        leaveLine();
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        leaveLine();
        line.splice(line.indexOf(admit), 1);
        reject(overload());
      }, patience);
      line.push(admit);
    });
  }

  function leave(): void {
    const next = line.shift();
    // Whoever is next takes the place over.
    if (next) return next();
    running--;
    counts.running--;
  }

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
  /** For work that outlives a function: `enter` resolves when it may begin, and `leave` must be called once then. */
  return Object.assign(inTurn, { enter, leave, hasWaiting: () => line.length > 0 });
}

/**
 * Queues by key, an account or an origin for instance, so that none of them can take all places of a bulkhead. A queue
 * exists while it is used.
 * @returns enters the queue of a key, and resolves to what leaves it; throws UNAVAILABLE
 */
export function createKeyedQueues(limits: QueueLimits) {
  const queues = new Map<string, { queue: ReturnType<typeof createQueue>; users: number }>();
  return async (key: string): Promise<() => void> => {
    const entry = queues.get(key) ?? { queue: createQueue(limits), users: 0 };
    queues.set(key, entry);
    entry.users++;
    const forget = () => {
      if (--entry.users === 0) queues.delete(key);
    };
    await entry.queue.enter().catch((error: unknown) => {
      forget();
      throw error;
    });
    return () => {
      entry.queue.leave();
      forget();
    };
  };
}

const overload = () =>
  new BlogError("UNAVAILABLE", "the server is busy, please try again in a few seconds", { retryAfter: 5 });
