import { BlogError } from "./errors.ts";
import { BULKHEADS, type Bulkhead, type QueueLimits } from "./limits.ts";
import { networkOf } from "./networks.ts";

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

/** What a caller, an origin for instance, has in a queue just now. */
type Share = { running: number; waiting: number; served: number };
type Waiting = { share: Share; admit: () => void; refuse: () => void };

/**
 * Bounds work that is dear in memory or processor time. Callers with a key take turns: the next place goes to the one
 * with the fewest running, then to the one that was served longest ago.
 * @throws UNAVAILABLE with a time to come back when the queue or the caller's share of it is full, or the wait too long
 */
export function createQueue(
  { concurrency, maxQueued, timeoutMs, perKey = { concurrency, maxQueued } }: QueueLimits,
  counts: Counts = { running: 0, waiting: 0 },
) {
  const line = createLine(timeoutMs, counts);
  const shares = new Map<string, Share>();
  let [running, served] = [0, 0];

  const isAllowed = (share: Share) => running < concurrency && share.running < perKey.concurrency;

  function begin(share: Share): void {
    share.running++;
    share.served = ++served;
    running++;
    counts.running++;
  }

  function forget(key: string, share: Share): void {
    if (share.running === 0 && share.waiting === 0) shares.delete(key);
  }

  /** @returns leaves; to be called once */
  async function enter(caller = ""): Promise<() => void> {
    // All origins of one network take turns as one.
    const key = networkOf(caller);
    const share = shares.get(key) ?? { running: 0, waiting: 0, served: 0 };
    shares.set(key, share);
    if (isAllowed(share)) begin(share);
    else {
      const isFull =
        share.waiting >= perKey.maxQueued || (line.length() >= maxQueued && !line.makeRoomFor(share));
      const admitted = isFull ? Promise.reject(overload()) : line.join(share, () => begin(share));
      await admitted.finally(() => forget(key, share));
    }
    return () => {
      share.running--;
      running--;
      counts.running--;
      forget(key, share);
      line.admitNext(isAllowed);
    };
  }

  const inTurn = async <T>(work: () => Promise<T>, key?: string): Promise<T> => {
    const leave = await enter(key);
    try {
      return await work();
    } finally {
      leave();
    }
  };
  /** `enter` is for work that outlives a function. */
  return Object.assign(inTurn, { enter, hasWaiting: () => line.length() > 0 });
}

/** Those who wait for a place. */
function createLine(timeoutMs: number, counts: Counts) {
  const entries: Waiting[] = [];
  const count = (share: Share, change: 1 | -1) => {
    share.waiting += change;
    counts.waiting += change;
    waitingAnywhere += change;
  };
  return {
    length: () => entries.length,
    /** Resolves once `begin` was called, rejects when the wait was too long. */
    join: (share: Share, begin: () => void) =>
      new Promise<void>((resolve, reject) => {
        const leave = () => {
          clearTimeout(timer);
          entries.splice(entries.indexOf(entry), 1);
          count(share, -1);
        };
        const admit = () => {
          leave();
          begin();
          resolve();
        };
        const refuse = () => {
          leave();
          reject(overload());
        };
        const timer = setTimeout(refuse, timeoutMs);
        const entry = { share, admit, refuse };
        entries.push(entry);
        count(share, 1);
      }),
    /** A full line is no reason to refuse the first of an origin: the newest of the one with most gives way. */
    makeRoomFor(share: Share): boolean {
      const most = Math.max(...entries.map((entry) => entry.share.waiting));
      if (most <= share.waiting + 1) return false;
      entries.findLast((entry) => entry.share.waiting === most)?.refuse();
      return true;
    },
    admitNext(isAllowed: (share: Share) => boolean): void {
      const allowed = entries.filter(({ share }) => isAllowed(share));
      allowed.reduce<Waiting | undefined>(earlier, undefined)?.admit();
    },
  };
}

const earlier = (first: Waiting | undefined, next: Waiting): Waiting =>
  first && !isBefore(next.share, first.share) ? first : next;

const isBefore = (a: Share, b: Share) =>
  a.running < b.running || (a.running === b.running && a.served < b.served);

/** How many of each key there are just now; a key without any is forgotten. */
export function createCounter() {
  const counts = new Map<string, number>();
  return {
    countOf: (key: string): number => counts.get(key) ?? 0,
    add: (key: string) => void counts.set(key, (counts.get(key) ?? 0) + 1),
    remove(key: string): void {
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    },
  };
}

/**
 * Queues by key, an account or an origin for instance, so that none of them can take all places of a bulkhead. A queue
 * exists while it is used.
 * @returns enters the queue of a key, where those with different `turnOf` take turns, and resolves to what leaves it;
 *   throws UNAVAILABLE
 */
export function createKeyedQueues(limits: QueueLimits) {
  const queues = new Map<string, { queue: ReturnType<typeof createQueue>; users: number }>();
  return async (key: string, turnOf?: string): Promise<() => void> => {
    const entry = queues.get(key) ?? { queue: createQueue(limits), users: 0 };
    queues.set(key, entry);
    entry.users++;
    const forget = () => {
      if (--entry.users === 0) queues.delete(key);
    };
    const leave = await entry.queue.enter(turnOf).catch((error: unknown) => {
      forget();
      throw error;
    });
    return () => {
      leave();
      forget();
    };
  };
}

const overload = () =>
  new BlogError("UNAVAILABLE", "the server is busy, please try again in a few seconds", { retryAfter: 5 });
