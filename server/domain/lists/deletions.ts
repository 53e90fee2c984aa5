import { badInput } from "../../errors.ts";
import { byTime, toTimeSlice, parseCursor, readConnection, type ConnectionArgs } from "./connections.ts";
import type { ReadCtx } from "../context.ts";
import { parseTime } from "../input.ts";
import type { Deletion } from "../post-selection.ts";
import { DELETION_RETENTION_DAYS } from "../retention.ts";
import { queueIfDeep, queueSearch } from "./lists.ts";

const DAY = 24 * 60 * 60 * 1000;

/**
 * Deletions after `since`, earliest first. A client that continues behind the last cursor misses nothing.
 * @throws BAD_USER_INPUT, also for a time, or a cursor, whose deletions are forgotten
 */
export async function readDeletions(ctx: ReadCtx, given: Date, pageArgs: ConnectionArgs) {
  const since = parseTime("since", given);
  const horizon = await ctx.queries.horizon("deletions");
  const cursor = pageArgs.after != null ? parseCursor(pageArgs.after, byTime("asc")) : null;
  const from = Math.max(since.getTime(), cursor?.createdAt.getTime() ?? -Infinity);
  if (horizon.getTime() - from > DELETION_RETENTION_DAYS * DAY)
    throw badInput(
      `"since" may be ${DELETION_RETENTION_DAYS} days ago at most, because earlier deletions are forgotten: read everything anew`,
    );
  return readConnection<Deletion>(
    {
      order: byTime("asc"),
      isSync: true,
      horizon: async () => horizon,
      find: (slice) =>
        queueIfDeep(slice.skip, ctx.origin, () => ctx.queries.deletions(since, toTimeSlice(slice))),
      count: () => queueSearch(() => ctx.queries.countDeletions(since), ctx.origin),
    },
    pageArgs,
  );
}
