import { BlogError } from "../errors.ts";
import { UPLOADS } from "../limits.ts";
import { createBulkhead, createKeyedQueues } from "../queue.ts";

type Uploader = { account: string; origin: string };

const ofAll = createBulkhead("uploads");
const ofAccount = createKeyedQueues({ ...UPLOADS, concurrency: UPLOADS.perAccount });
const ofOrigin = createKeyedQueues({ ...UPLOADS, concurrency: UPLOADS.perOrigin });

/**
 * Receives a body with a file. Each is held in memory, so their number is limited: per account, per origin and in
 * all. The others wait unread, for less than the time after which a body counts as too slow.
 * @throws RATE_LIMITED when an account or its origin has too many under way for too long, UNAVAILABLE
 */
export async function receiveUpload<T>({ account, origin }: Uploader, receive: () => Promise<T>): Promise<T> {
  const leaveAccount = await ofAccount(account).catch(tooMany);
  try {
    const leaveOrigin = await ofOrigin(origin).catch(tooMany);
    try {
      return await ofAll(receive, origin);
    } finally {
      leaveOrigin();
    }
  } finally {
    leaveAccount();
  }
}

function tooMany(cause: unknown): never {
  throw new BlogError("RATE_LIMITED", "too many uploads at once, please wait until the others are done", {
    retryAfter: 5,
    cause,
  });
}
