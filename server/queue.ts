import { BlogError } from "./errors.ts";

type Limits = {
  /** How many work at a time. */
  concurrency: number;
  /** How many may wait; one more is refused at once. */
  waiting: number;
  /** Milliseconds one may wait before being refused. */
  patience: number;
};

let waitingAnywhere = 0;

/** How many wait in a line of ours just now, each bounded on its own. */
export const countWaiting = (): number => waitingAnywhere;

/**
 * Bounds work that is dear in memory or processor time.
 * @throws UNAVAILABLE with a time to come back when the queue is full or the wait too long
 */
export function createQueue({ concurrency, waiting, patience }: Limits) {
  const line: (() => void)[] = [];
  let running = 0;

  function enter(): Promise<void> {
    if (running < concurrency) {
      running++;
      return Promise.resolve();
    }
    if (line.length >= waiting) return Promise.reject(overload());
    return new Promise((resolve, reject) => {
      waitingAnywhere++;
      const admit = () => {
        waitingAnywhere--;
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waitingAnywhere--;
        line.splice(line.indexOf(admit), 1);
        reject(overload());
      }, patience);
      line.push(admit);
    });
  }

  function leave(): void {
    const next = line.shift();
    // Whoever is next takes the place over.
    if (next) next();
    else running--;
  }

  return async <T>(work: () => Promise<T>): Promise<T> => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

const overload = () =>
  new BlogError("UNAVAILABLE", "the server is busy, please try again in a few seconds", { retryAfter: 5 });
