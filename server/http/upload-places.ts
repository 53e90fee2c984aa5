import { BlogError } from "../errors.ts";
import { UPLOADS } from "../limits.ts";
import { createBulkhead, createQueue } from "../queue.ts";

type Uploader = { account: string; origin: string };
type Queue = ReturnType<typeof createQueue>;

const ofAll = createBulkhead("uploads");
/** One for each account and origin that has uploads under way. */
const queues = new Map<string, { queue: Queue; users: number }>();

/**
 * Receives a body with a file. Each is held in memory, so their number is limited: per account, per origin and in
 * all. The others wait unread, for less than the time after which a body counts as too slow.
 * @throws RATE_LIMITED when an account or its origin has too many under way for too long, UNAVAILABLE
 */
export const receiveUpload = <T>({ account, origin }: Uploader, receive: () => Promise<T>): Promise<T> =>
  inQueue(`account ${account}`, UPLOADS.perAccount, () =>
    inQueue(`origin ${origin}`, UPLOADS.perOrigin, () => ofAll(receive)),
  );

async function inQueue<T>(key: string, concurrency: number, work: () => Promise<T>): Promise<T> {
  const { waiting, patience } = UPLOADS;
  const entry = queues.get(key) ?? { queue: createQueue({ concurrency, waiting, patience }), users: 0 };
  queues.set(key, entry);
  entry.users++;
  try {
    await entry.queue.enter().catch(() => {
      throw tooMany();
    });
    try {
      return await work();
    } finally {
      entry.queue.leave();
    }
  } finally {
    if (--entry.users === 0) queues.delete(key);
  }
}

const tooMany = () =>
  new BlogError("RATE_LIMITED", "too many uploads at once, please wait until the others are done", {
    retryAfter: 5,
  });
