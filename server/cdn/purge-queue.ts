import type { CacheTag } from "../domain/ports.ts";

/** Milliseconds. `repeat` is longer than a process may take to notice that it gets no notifications, which is 3 s. */
const PURGE_DELAYS = { batch: 100, repeat: 5_000, retry: 500, longestRetry: 15_000, close: 2_000 };

/** Tags. Beyond this everything is purged. One statement in the database notifies of up to 1 001. */
const MAX_PENDING = 5_000;

type Options = {
  /** @throws if the CDN did not confirm it */
  purge: (tags: readonly CacheTag[]) => Promise<void>;
  log: { warn: (line: object, message: string) => void };
  delays?: typeof PURGE_DELAYS;
};

export type PurgeQueue = ReturnType<typeof openPurgeQueue>;

type Batch = Map<CacheTag, /* isRepeated */ boolean>;

/**
 * Purges in the background: batched, one request after another, until the CDN confirms it. Each purge is repeated
 * once after `repeat`: a response made before a write may reach the CDN after the purge of that write.
 */
export function openPurgeQueue({ purge, log, delays = PURGE_DELAYS }: Options) {
  const waiting: Batch = new Map();
  const attempts = openAttempts(log);
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | null = null;
  let isClosed = false;

  function schedule(delay: number): void {
    if (timer || sending || isClosed || waiting.size === 0) return;
    timer = setTimeout(() => void flush(), delay).unref();
  }

  function repeatLater(batch: Batch): void {
    const again = [...batch].filter(([, isRepeated]) => isRepeated);
    const repeat = () => {
      for (const [tag] of again) merge(waiting, tag, false);
      schedule(delays.batch);
    };
    setTimeout(repeat, delays.repeat).unref();
  }

  async function send(): Promise<void> {
    const batch = new Map(waiting);
    waiting.clear();
    try {
      await purge(batch.has("*") ? ["*"] : [...batch.keys()]);
      attempts.succeed();
      repeatLater(batch);
    } catch (error) {
      attempts.fail(error as Error);
      for (const [tag, isRepeated] of batch) merge(waiting, tag, isRepeated);
    }
  }

  async function flush(): Promise<void> {
    timer = undefined;
    await (sending = send());
    sending = null;
    schedule(attempts.delay(delays));
  }

  return {
    add(tags: readonly CacheTag[]): void {
      for (const tag of tags) merge(waiting, tag, true);
      schedule(delays.batch);
    },
    counts: () => ({ ...attempts.counts, waiting: waiting.size }),
    /** Purges everything, since pages of this process name files that the next release may lack. Gives up in time. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      const purgeAll = async () => {
        await sending;
        merge(waiting, "*", false);
        await send();
      };
      await Promise.race([purgeAll(), new Promise((done) => setTimeout(done, delays.close).unref())]);
    },
  };
}

/** Tags stay in the queue beside a repetition of "*", which covers them: repeating it because of them would never end. */
function merge(batch: Batch, tag: CacheTag, isRepeated: boolean): void {
  if (batch.get("*")) return;
  const isFull = batch.size === MAX_PENDING;
  const repeats = isRepeated || (isFull ? [...batch.values()].includes(true) : batch.get(tag) === true);
  if (isFull) batch.clear();
  batch.set(isFull ? "*" : tag, repeats);
}

/** Counts attempts, and logs the first failure of several and the success after them. */
function openAttempts(log: Options["log"]) {
  const counts = { sent: 0, failed: 0 };
  let failures = 0;
  return {
    counts,
    succeed(): void {
      counts.sent++;
      if (failures > 0) log.warn({ attempts: failures + 1 }, "the CDN can be purged again");
      failures = 0;
    },
    fail({ message }: Error): void {
      counts.failed++;
      if (failures++ === 0)
        log.warn({ reason: message }, "the CDN cannot be purged, and may serve old content");
    },
    delay: ({ batch, retry, longestRetry }: typeof PURGE_DELAYS): number =>
      failures === 0 ? batch : Math.min(longestRetry, retry * 2 ** (failures - 1)),
  };
}
