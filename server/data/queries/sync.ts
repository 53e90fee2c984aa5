import type { Queries } from "../../domain/ports.ts";
import type { Deletion } from "../../domain/post-selection.ts";
import { createParams, keysetClause } from "./keyset.ts";
import type { RunPrepared } from "./run-prepared.ts";

/**
 * A trigger reads the clock for a row's time after its transaction is listed here as a writer, so the row's time is not before
 * `xact_start`. The clock is read before the list: a transaction that is not listed yet reads it later. Rows have to be read
 * by another statement, whose snapshot is younger.
 */
const horizon = `
  SELECT date_trunc('milliseconds', least(clock.now, writers.began)) AS horizon
  FROM (SELECT clock_timestamp() AS now OFFSET 0) clock
  CROSS JOIN LATERAL (
    SELECT min(xact_start) AS began FROM pg_stat_activity
    WHERE backend_xid IS NOT NULL AND datname = current_database() AND clock.now IS NOT NULL) writers`;

type SyncQueries = Pick<Queries, "horizon" | "deletions" | "countDeletions">;

export const syncQueries = (runPrepared: RunPrepared): SyncQueries => ({
  async horizon() {
    const [row] = await runPrepared<{ horizon: Date }>(horizon, []);
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
