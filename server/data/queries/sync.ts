import type { Queries } from "../../domain/ports.ts";
import type { Deletion, SyncedList } from "../../domain/post-selection.ts";
import { createParams, keysetClause } from "./keyset.ts";
import type { RunPrepared } from "./run-prepared.ts";

const tables: Record<SyncedList, string> = {
  posts: "Post",
  comments: "Comment",
  categories: "Category",
  users: "User",
  emails: "Letter",
  tags: "Tag",
  deletions: "Deletion",
};

/**
 * A trigger reads the clock for a row's time after its statement has locked the table for writing, so the row's time is not
 * before `xact_start`. The clock is read before the locks: a transaction that is not listed yet reads it later. Rows have
 * to be read by another statement, whose snapshot is younger. Writers of other tables do not count: visitors would
 * see in this time that an email is written, and so who has an account.
 */
const horizon = `
  SELECT date_trunc('milliseconds', least(clock.now, writers.began)) AS horizon
  FROM (SELECT clock_timestamp() AS now OFFSET 0) clock
  CROSS JOIN LATERAL (
    SELECT min(xact_start) AS began FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND relation = $1::text::regclass
      AND datname = current_database() AND clock.now IS NOT NULL) writers`;

type SyncQueries = Pick<Queries, "horizon" | "deletions" | "countDeletions">;

export const syncQueries = (runPrepared: RunPrepared): SyncQueries => ({
  async horizon(list) {
    const [row] = await runPrepared<{ horizon: Date }>(horizon, [`"${tables[list]}"`]);
    return row?.horizon ?? new Date(0);
  },

  deletions(since, slice) {
    const query = createParams();
    const text = `SELECT * FROM (SELECT id, type, "deletedAt" AS "createdAt" FROM "Deletion") gone
      WHERE "createdAt" > ${query.add(since)} ${keysetClause(slice, query.add)}`;
    return runPrepared<Deletion>(text, query.values);
  },

  async countDeletions(since) {
    const text = `SELECT count(*)::int AS count FROM "Deletion" WHERE "deletedAt" > $1`;
    const [row] = await runPrepared<{ count: number }>(text, [since]);
    return row?.count ?? 0;
  },
});
