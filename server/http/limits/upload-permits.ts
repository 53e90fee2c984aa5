import { BlogError } from "../../errors.ts";
import { UPLOADS } from "../../limits.ts";
import { createBulkhead, createKeyedQueues } from "../../queue.ts";

type Uploader = { account: string; origin: string };

const forAll = createBulkhead("uploads");
const forAccount = createKeyedQueues({ ...UPLOADS, concurrency: UPLOADS.perAccount }, "account_uploads");
const forOrigin = createKeyedQueues({ ...UPLOADS, concurrency: UPLOADS.perOrigin }, "origin_uploads");

/**
 * Acquires a permit to hold a body with a file in memory. Permits are limited per account, per origin and in total. Queued
 * bodies stay unread, for less than the timeout of slow bodies.
 * @returns releases the permit; to be called when the file is not needed any more
 * @throws RATE_LIMITED if the queue of the account or origin is full or too slow, UNAVAILABLE
 */
export async function acquireUploadPermit({ account, origin }: Uploader): Promise<() => void> {
  const acquired: (() => void)[] = [];
  const release = () => acquired.forEach((each) => each());
  try {
    acquired.push(await forAccount(account).catch(tooMany));
    acquired.push(await forOrigin(origin).catch(tooMany));
    acquired.push(await forAll.acquire(origin));
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

/** Runs a verb with the permit that it acquires to read its file, until its end: queued files are in memory, too. */
export async function withUploadPermit<Form, T>(
  uploader: Uploader,
  read: () => Promise<Form>,
  verb: (readForm: () => Promise<Form>) => Promise<T>,
): Promise<T> {
  let release = () => {};
  try {
    return await verb(async () => {
      release = await acquireUploadPermit(uploader);
      return read();
    });
  } finally {
    release();
  }
}

function tooMany(cause: unknown): never {
  throw new BlogError("RATE_LIMITED", "too many uploads at once, please wait until the others are done", {
    retryAfter: 5,
    cause,
  });
}
