import { Logger, run, runMigrations, type TaskList } from "graphile-worker";
import pg from "pg";
import type { Parts } from "../context.ts";
import { removeUnverified } from "../domain/accounts.ts";
import { addAvif, sweepPictures } from "../domain/pictures.ts";
import { renderPending } from "../domain/post-html.ts";
import { removeExpired } from "../domain/sessions.ts";
import type { Deliver } from "../mail/transports.ts";
import { deliverLetter, resumeLetters, type Log } from "./deliver-letter.ts";

/** Letters each minute, tidying each hour; `?fill` would catch up on what was missed, which neither needs. */
const crontab = [
  "* * * * * resume_letters",
  "7 * * * * remove_expired",
  "27 * * * * sweep_pictures",
  "37 * * * * remove_unverified",
  // One run at a time, across all processes.
  "* * * * * render_posts ?jobKey=render_posts&queue=texts&max=1",
  // One at a time, across all processes, and behind everything else.
  "* * * * * add_avif ?jobKey=add_avif&queue=pictures&priority=10&max=1",
].join("\n");

const quiet = new Logger(() => () => undefined);

/** The worker's own tables; letters cannot be written without them. */
export const migrateJobs = (databaseUrl: string) =>
  runMigrations({ connectionString: databaseUrl, logger: quiet });

/**
 * Does in the background what no request waits for. Several processes share the work: each job is done by one.
 * @returns stops taking work and waits for what has begun
 */
export async function startWorker(
  databaseUrl: string,
  parts: Parts,
  deliver: Deliver,
  log?: Log,
): Promise<() => Promise<void>> {
  // Its own connections: listening holds one for good.
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 3, application_name: "blog worker" });
  pool.on("error", () => undefined);
  const tasks: TaskList = {
    deliver_letter: (payload) => deliverLetter(parts, deliver, (payload as { id: string }).id, log),
    resume_letters: async () => void (await resumeLetters(parts.db)),
    // One picture each time, so that whoever stops waits for no more than one.
    add_avif: async (_payload, { addJob }) => {
      const more = { jobKey: "add_avif", queueName: "pictures", priority: 10, maxAttempts: 1 };
      if (await addAvif(parts)) await addJob("add_avif", {}, more);
    },
    render_posts: async (_payload, { addJob }) => {
      const more = { jobKey: "render_posts", queueName: "texts", maxAttempts: 1 };
      if (await renderPending(parts)) await addJob("render_posts", {}, more);
    },
    remove_expired: () => removeExpired(parts),
    sweep_pictures: async () => void (await sweepPictures(parts)),
    remove_unverified: async () => void (await removeUnverified(parts)),
  };
  await resumeLetters(parts.db);
  // What an earlier process left when it was killed.
  await sweepPictures(parts);
  const runner = await run({
    pgPool: pool,
    taskList: tasks,
    crontab,
    concurrency: 2,
    pollInterval: 1_000,
    noHandleSignals: true,
    logger: quiet,
  });
  return async () => {
    await runner.stop().catch(() => undefined);
    await pool.end();
  };
}
