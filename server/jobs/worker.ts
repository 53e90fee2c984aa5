import { setTimeout } from "node:timers/promises";
import {
  Logger,
  run,
  runMigrations,
  type Task,
  type TaskList,
  type TaskSpec,
  type WorkerEvents,
} from "graphile-worker";
import { NO_EMAIL } from "../data/writes/jobs.ts";
import { openWorkerPool } from "../data/client.ts";
import type { Services } from "../domain/context.ts";
import { removeUnverified } from "../domain/accounts/accounts.ts";
import { removeClosedAccounts } from "../domain/accounts/closed-accounts.ts";
import { addAvif, completePicture, sweepPictures } from "../domain/pictures.ts";
import { fillConfusableKeys } from "../domain/accounts/names.ts";
import { renderPending, startRendering } from "../domain/posts/post-html.ts";
import { relatePending } from "../domain/posts/related-posts.ts";
import { removeExpired } from "../domain/retention.ts";
import { removeUnusedTags } from "../domain/posts/tags.ts";
import { indexPending } from "../domain/searching/search-index.ts";
import { removeAbandonedUploads } from "../domain/writing/uploads.ts";
import { runJob } from "../tracing/operation.ts";
import type { Deliver } from "../mail/transports.ts";
import { startPublishing } from "./publish-due.ts";
import { unlockDeadWorkers } from "./live-workers.ts";
import { openRunner } from "./runner.ts";
import { startSchedule, type ScheduledJob } from "./schedule.ts";
import { deliverEmail, resumeDeliveries, simulateDelivery, type Log } from "./deliver-email.ts";

/** Across all processes, one job per key is queued, and one per queue name runs at a time. */
const specs: Record<ScheduledJob, TaskSpec> = {
  resume_letters: { jobKey: "resume_letters" },
  render_posts: { jobKey: "render_posts", queueName: "texts", maxAttempts: 1 },
  index_posts: { jobKey: "index_posts", queueName: "search", maxAttempts: 1 },
  relate_posts: { jobKey: "relate_posts", queueName: "texts", maxAttempts: 1 },
  complete_pictures: { jobKey: "complete_pictures", queueName: "complete_pictures", maxAttempts: 1 },
  add_avif: { jobKey: "add_avif", queueName: "pictures", priority: 10, maxAttempts: 1 },
  mark_days: { jobKey: "mark_days", queueName: "mark_days", maxAttempts: 1 },
  remove_accounts: { jobKey: "remove_accounts", queueName: "accounts", maxAttempts: 1 },
  remove_expired: { jobKey: "remove_expired" },
  sweep_pictures: { jobKey: "sweep_pictures" },
  remove_unverified: { jobKey: "remove_unverified" },
};

/** Milliseconds. A start waits for the sweep for the second. */
const UNLOCK_INTERVAL = 20_000;
const SWEEP_AT_START = 2_000;
const MIGRATION_TIMEOUT = 10 * 60_000;

const quiet = new Logger(() => () => undefined);

/** Creates the worker's tables, which writing an email requires. */
export async function migrateJobs(databaseUrl: string): Promise<void> {
  const pool = openWorkerPool(databaseUrl, 1, MIGRATION_TIMEOUT);
  await runMigrations({ pgPool: pool, logger: quiet }).finally(() => pool.end());
}

/** Several processes share the jobs. @returns stops taking jobs and waits for running ones */
export async function startWorker(
  { url, connections = 2 }: { url: string; connections?: number },
  services: Services,
  deliver: Deliver,
  log?: Log,
): Promise<() => Promise<void>> {
  // Its own connections: listening holds one permanently.
  const pool = openWorkerPool(url, connections);
  await resumeDeliveries(services.db);
  // Removes leftovers of a process that was killed. A large bucket takes longer than a start should, or does not answer.
  const swept = sweep(services, log).catch((err: unknown) => log?.warn({ err }, "no picture was swept"));
  await Promise.race([swept, setTimeout(SWEEP_AT_START, undefined, { ref: false })]);
  await unlockDeadWorkers(pool);
  const taskList = named(createTasks(services, deliver, log));
  const limits = { concurrency: 4, pollInterval: 1_000, noHandleSignals: true };
  const start = (events: WorkerEvents) =>
    run({ ...{ pgPool: pool, taskList, logger: quiet, events }, ...limits });
  const runner = await openRunner(start, log);
  const stopSchedule = startSchedule((job) => runner.addJob(job, {}, specs[job]), log);
  const unlocking = setInterval(
    () => void unlockDeadWorkers(pool).catch(() => undefined),
    UNLOCK_INTERVAL,
  ).unref();
  // An update may have left every post to index.
  await runner.addJob("index_posts", {}, specs.index_posts);
  const addRendering = () => runner.addJob("render_posts", {}, specs.render_posts);
  await addRendering();
  const stopPublishing = startPublishing(services, addRendering, log);
  return async () => {
    stopSchedule();
    clearInterval(unlocking);
    await stopPublishing();
    await runner.stop();
    await pool.end();
  };
}

const named = (tasks: TaskList): TaskList =>
  Object.fromEntries(
    Object.entries(tasks).map(([name, task]): [string, Task] => [
      name,
      (payload, helpers) => runJob(name, () => task?.(payload, helpers)),
    ]),
  );

const createTasks = (
  services: Services,
  deliver: Deliver,
  log?: Log,
  rendering = startRendering(),
): TaskList => ({
  deliver_letter: (payload, { abortSignal: signal }) => {
    const { id, domain = "" } = payload as { id: string; domain?: string };
    if (id === NO_EMAIL) return simulateDelivery(services, deliver, { domain, signal });
    return deliverEmail(services, deliver, { id, log, signal });
  },
  resume_letters: async () => void (await resumeDeliveries(services.db)),
  // One picture per job, so that stopping waits for no more than one.
  complete_pictures: async (_payload, { addJob }) => {
    const next = (await completePicture(services)) ? "complete_pictures" : "add_avif";
    await addJob(next, {}, specs[next]);
  },
  add_avif: async (_payload, { addJob }) => {
    if (await addAvif(services)) await addJob("add_avif", {}, specs.add_avif);
  },
  render_posts: async (_payload, { addJob }) => {
    if (await renderPending(services, rendering)) await addJob("render_posts", {}, specs.render_posts);
  },
  // Between two chunks other jobs run, and a stop loses no more than one.
  index_posts: async (_payload, { addJob }) => {
    if (await indexPending(services)) await addJob("index_posts", {}, specs.index_posts);
  },
  relate_posts: async (_payload, { addJob }) => {
    if (await relatePending(services)) await addJob("relate_posts", {}, specs.relate_posts);
  },
  mark_days: async () => void (await services.writes.markCrowdedDays()),
  remove_accounts: async (_payload, { addJob, abortSignal: signal }) => {
    if ((await removeClosedAccounts(services, signal)) && !signal?.aborted)
      await addJob("remove_accounts", {}, specs.remove_accounts);
  },
  remove_expired: async () => {
    await removeUnusedTags(services);
    await removeExpired(services);
  },
  sweep_pictures: async () => {
    await sweep(services, log);
    await removeAbandonedUploads(services);
  },
  remove_unverified: async () => {
    await removeUnverified(services);
    // For accounts that a process of an older release has created meanwhile.
    await fillConfusableKeys(services);
  },
});

async function sweep(services: Services, log?: Log): Promise<void> {
  const { skipped } = await sweepPictures(services);
  if (skipped > 0)
    log?.warn(
      { pictures: skipped },
      "most stored pictures are of no post in this database, and none was removed: is it the right DATABASE_URL?",
    );
}
