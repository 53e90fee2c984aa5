import { BlogError } from "../../errors.ts";
import { UPLOADS } from "../../limits.ts";
import { createBulkhead, createKeyedQueues } from "../../queue.ts";

type Uploader = { account: string; origin: string };

const forAll = createBulkhead("uploads");
const forAccount = createKeyedQueues({ ...UPLOADS, concurrency: UPLOADS.perAccount });
const forOrigin = createKeyedQueues({ ...UPLOADS, concurrency: UPLOADS.perOrigin });

/**
 * Receives a body with a file. Each is held in memory, so permits are limited per account, per origin and in total.
 * Queued bodies stay unread, for less than the timeout of slow bodies.
 * @throws RATE_LIMITED if the queue of the account or origin is full or too slow, UNAVAILABLE
 */
export async function receiveUpload<T>({ account, origin }: Uploader, receive: () => Promise<T>): Promise<T> {
  const releaseAccount = await forAccount(account).catch(tooMany);
  try {
    const releaseOrigin = await forOrigin(origin).catch(tooMany);
    try {
      return await forAll(receive, origin);
    } finally {
      releaseOrigin();
    }
  } finally {
    releaseAccount();
  }
}

function tooMany(cause: unknown): never {
  throw new BlogError("RATE_LIMITED", "too many uploads at once, please wait until the others are done", {
    retryAfter: 5,
    cause,
  });
}
