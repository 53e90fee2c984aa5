const MINUTE = 60_000;

/** Milliseconds. */
export const intervals = {
  resume_letters: MINUTE,
  render_posts: MINUTE,
  index_posts: MINUTE,
  relate_posts: MINUTE,
  complete_pictures: MINUTE,
  add_avif: MINUTE,
  mark_days: MINUTE,
  remove_accounts: MINUTE,
  remove_expired: 60 * MINUTE,
  sweep_pictures: 60 * MINUTE,
  remove_unverified: 60 * MINUTE,
} as const;

export type ScheduledJob = keyof typeof intervals;

type Log = { warn: (line: object, message: string) => void };

/**
 * Adds each job at its interval, and skips it while the database is down: Graphile Worker's own cron would then end
 * the process with an unhandled rejection.
 * @returns stops the schedule
 */
export function startSchedule(
  add: (job: ScheduledJob) => Promise<unknown>,
  log?: Log,
  every: Record<ScheduledJob, number> = intervals,
): () => void {
  const timers = (Object.keys(every) as ScheduledJob[]).map((job) =>
    setInterval(() => {
      add(job).catch((err: unknown) => log?.warn({ err, job }, "a job could not be scheduled"));
    }, every[job]).unref(),
  );
  return () => timers.forEach(clearInterval);
}
