import { createBulkhead } from "../../queue.ts";
import type { Services } from "../context.ts";
import type { Tx } from "../ports.ts";

/** Work on the texts of posts: few run at a time, and wait without a connection, which sign-ins and comments need as well. */
export const queuePostWrite = createBulkhead("post_writes");

export const writePosts = <T>(
  { unqueuedDb }: Pick<Services, "unqueuedDb">,
  write: (tx: Tx) => Promise<T>,
  key: string,
): Promise<T> => queuePostWrite(() => unqueuedDb.$transaction(write), key);

/** Like `writePosts`, for writes that add text. @throws INSUFFICIENT_STORAGE */
export const writePostTexts = <T>(
  { unqueuedDb, requireDiskSpace }: Pick<Services, "unqueuedDb" | "requireDiskSpace">,
  write: (tx: Tx) => Promise<T>,
  key: string,
): Promise<T> =>
  queuePostWrite(async () => {
    await requireDiskSpace();
    return unqueuedDb.$transaction(write);
  }, key);
