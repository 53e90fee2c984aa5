import { BlogError, BusyError } from "./errors.ts";
import { BULKHEADS, type Bulkhead, type QueueLimits } from "./limits.ts";
import { networkOf } from "./networks.ts";
import { chargeTime } from "./event-loop/time-budget.ts";

type Counts = { running: number; waiting: number };

/** Queues besides the bulkheads: of one account, address, network or key each, and of deferred work. */
const OTHER_QUEUES = [
  ...(["account_pictures", "account_previews", "account_uploads", "account_writes"] as const),
  ...(["address_sign_ins", "origin_uploads", "idempotency_keys", "rate_limits"] as const),
  ...(["emails", "network_emails", "encoding_jobs"] as const),
];

export type QueueName = Bulkhead | (typeof OTHER_QUEUES)[number];

const queueNames = [...Object.keys(BULKHEADS), ...OTHER_QUEUES] as QueueName[];

const ofEachQueue = <T>(create: () => T) =>
  Object.fromEntries(queueNames.map((name) => [name, create()])) as Record<QueueName, T>;

/** Totals by name over all queues of this process, for /metrics: of now, and of refusals since the start. */
export const bulkheadCounts = ofEachQueue((): Counts => ({ running: 0, waiting: 0 }));
export const refusalCounts = ofEachQueue(() => 0);

/** A queue with the limits of one kind of work, so that no kind exhausts what the others need. */
export const createBulkhead = (name: Bulkhead, limits: Partial<QueueLimits> = {}) =>
  createQueue({ ...BULKHEADS[name], ...limits }, name);

/** Delays a release by the duration of the work (1 s at most): one network gets half of a permit's time at most. */
export function delayRelease(release: () => void): () => void {
  const began = performance.now();
  return () => void setTimeout(release, Math.min(1_000, performance.now() - began)).unref();
}

/** Queues of work outside of requests. */
const DEFERRED: readonly (QueueName | undefined)[] = [
  "emails",
  "network_emails",
  "encoding_jobs",
  "relations",
];

let requestsWaiting = 0;

/** Requests in all queues of this process. */
export const countWaiting = (): number => requestsWaiting;

type Share = { running: number; waiting: number; served: number };
type Waiting = { share: Share; admit: () => void; refuse: (isOwn: boolean) => void };

/**
 * Limits concurrency fairly: the next permit goes to the key with the fewest running, then to that served longest ago.
 * @throws UNAVAILABLE with `retryAfter` if the queue or the key's share of it is full, or the wait too long
 */
export function createQueue(
  { concurrency, maxQueued, timeoutMs, isHeavy = false, perKey = { concurrency, maxQueued } }: QueueLimits,
  name?: QueueName,
) {
  const { counts, onWaiting, overload } = countersOf(name);
  const waitingList = createWaitingList(onWaiting, overload);
  const shares = createShares();
  let [running, served] = [0, 0];

  const isAllowed = (share: Share) => running < concurrency && share.running < perKey.concurrency;

  function begin(share: Share): void {
    share.running++;
    share.served = ++served;
    running++;
    counts.running++;
  }

  /** For work that outlives a function. @returns the release of the permit, which is idempotent */
  async function acquire(caller = "", maxWaitMs = timeoutMs): Promise<() => void> {
    const key = networkOf(caller);
    const share = shares.of(key);
    if (isAllowed(share)) begin(share);
    else {
      const isOwn = share.waiting >= perKey.maxQueued;
      const isFull = isOwn || (waitingList.length() >= maxQueued && !waitingList.evictFor(share));
      const admitted = isFull ? Promise.reject(overload(isOwn)) : waitingList.join(share, begin, maxWaitMs);
      await admitted.finally(() => shares.release(key));
    }
    const began = performance.now();
    const freeShare = () => {
      share.running--;
      shares.release(key);
      waitingList.admitNext(isAllowed);
    };
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      [isHeld, running] = [false, running - 1];
      counts.running--;
      const wait = isHeavy ? chargeTime(key, performance.now() - began) : 0;
      if (wait === 0) return freeShare();
      waitingList.admitNext(isAllowed);
      setTimeout(freeShare, wait).unref();
    };
  }

  const run = async <T>(work: () => Promise<T>, caller?: string): Promise<T> => {
    const release = await acquire(caller);
    try {
      return await work();
    } finally {
      release();
    }
  };
  const isFull = () => running >= concurrency;
  return Object.assign(run, { acquire, isFull, hasWaiting: () => waitingList.length() > 0 });
}

function countersOf(name: QueueName | undefined) {
  const counts = name ? bulkheadCounts[name] : { running: 0, waiting: 0 };
  return {
    counts,
    onWaiting(change: 1 | -1): void {
      counts.waiting += change;
      if (!DEFERRED.includes(name)) requestsWaiting += change;
    },
    overload(isOwn: boolean): BlogError {
      if (name) refusalCounts[name]++;
      return isOwn ? new BusyError() : new OthersQueueError();
    },
  };
}

/** Shares of unused keys that are retained, so that a client with one connection does not count as new each time. */
const MAX_UNUSED_SHARES = 1_000;

function createShares() {
  const [used, unused] = [new Map<string, Share>(), new Map<string, Share>()];
  return {
    of(key: string): Share {
      const share = used.get(key) ?? unused.get(key) ?? { running: 0, waiting: 0, served: 0 };
      unused.delete(key);
      used.set(key, share);
      return share;
    },
    release(key: string): void {
      const share = used.get(key);
      if (share?.running !== 0 || share.waiting > 0) return;
      used.delete(key);
      unused.set(key, share);
      const [oldest = ""] = unused.keys();
      if (unused.size > MAX_UNUSED_SHARES) unused.delete(oldest);
    },
  };
}

function createWaitingList(onChange: (change: 1 | -1) => void, overload: (isOwn: boolean) => BlogError) {
  const entries: Waiting[] = [];
  const count = (share: Share, change: 1 | -1) => {
    share.waiting += change;
    onChange(change);
  };
  return {
    length: () => entries.length,
    join: (share: Share, begin: (share: Share) => void, timeoutMs: number) =>
      new Promise<void>((resolve, reject) => {
        const remove = () => {
          clearTimeout(timer);
          entries.splice(entries.indexOf(entry), 1);
          count(share, -1);
        };
        const admit = () => {
          remove();
          begin(share);
          resolve();
        };
        const refuse = (isOwn: boolean) => {
          remove();
          reject(overload(isOwn));
        };
        const timer = setTimeout(refuse, timeoutMs, false);
        const entry = { share, admit, refuse };
        entries.push(entry);
        count(share, 1);
      }),
    /** Evicts the newest entry of the key with the most, so that a full queue does not shut out other keys. */
    evictFor(share: Share): boolean {
      const most = Math.max(...entries.map((entry) => entry.share.waiting));
      if (most <= share.waiting + 1) return false;
      entries.findLast((entry) => entry.share.waiting === most)?.refuse(true);
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

/** Counts by key; keys at zero are removed. */
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
 * One queue per key, such as an account, so that no key takes all permits of a bulkhead. Unused queues are removed.
 * @returns acquires a permit of a key, fairly between networks of its callers, and resolves to its release; throws UNAVAILABLE
 */
export function createKeyedQueues(limits: QueueLimits, name: QueueName) {
  const queues = new Map<string, { queue: ReturnType<typeof createQueue>; users: number }>();
  return async (key: string, caller?: string): Promise<() => void> => {
    const entry = queues.get(key) ?? { queue: createQueue(limits, name), users: 0 };
    queues.set(key, entry);
    entry.users++;
    const forget = () => {
      if (--entry.users === 0) queues.delete(key);
    };
    const release = await entry.queue.acquire(caller).catch((error: unknown) => {
      forget();
      throw error;
    });
    return () => {
      release();
      forget();
    };
  };
}

/** Requests of others fill the queue, or made the wait too long. */
export class OthersQueueError extends BusyError {}
