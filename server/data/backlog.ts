import { inTime } from "../with-deadline.ts";
import type { Pipeline } from "./pipeline.ts";

type Counts = { due: number; scheduled: number; running: number; failed: number };

export type Backlog = {
  jobs: Counts;
  oldestDueSeconds: number;
  emails: { waiting: number; givenUp: number };
};

/** Milliseconds: monitoring must not hang while the database does. */
const DEADLINE = 1_000;

const COUNT = `
  SELECT * FROM (
    SELECT count(*) FILTER (WHERE due)::int AS due,
      count(*) FILTER (WHERE locked_at IS NULL AND NOT failed AND NOT due)::int AS scheduled,
      count(locked_at)::int AS running,
      count(*) FILTER (WHERE locked_at IS NULL AND failed)::int AS failed,
      coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE due)), 0)::float AS oldest
    FROM graphile_worker._private_jobs CROSS JOIN LATERAL (SELECT attempts >= max_attempts AS failed) state
    CROSS JOIN LATERAL (SELECT locked_at IS NULL AND NOT failed AND run_at <= now() AS due) ready) jobs,
  (SELECT count(*) FILTER (WHERE attempts < $1)::int AS waiting,
    count(*) FILTER (WHERE attempts >= $1)::int AS "givenUp" FROM "Letter" WHERE "sentAt" IS NULL) emails`;

/**
 * Counts by one statement at a time: calls during it share its result.
 * @param maxAttempts of an email, after which it is given up
 * @returns a function that rejects if the database does not answer within a second
 */
export function openBacklog(readPipeline: Pick<Pipeline, "query">, maxAttempts: number) {
  let counting: Promise<Backlog> | null = null;
  async function count(): Promise<Backlog> {
    const { rows } = await readPipeline.query({ text: COUNT, values: [maxAttempts] });
    const { oldest, waiting, givenUp, ...jobs } = rows[0] as Counts & Backlog["emails"] & { oldest: number };
    return { jobs, oldestDueSeconds: oldest, emails: { waiting, givenUp } };
  }
  return (): Promise<Backlog> => {
    counting ??= count().finally(() => (counting = null));
    return inTime(counting, DEADLINE, "the database did not answer in time");
  };
}
