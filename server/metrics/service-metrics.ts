import { openBacklog, type Backlog } from "../data/backlog.ts";
import type { Database } from "../data/client.ts";
import type { Metric } from "../http/metrics.ts";
import { MAX_ATTEMPTS } from "../jobs/deliver-email.ts";

type Limits = { pool: number; readPipeline: number };

export function databaseMetrics(
  { pool, readPipeline }: Pick<Database, "pool" | "readPipeline">,
  limits: Limits,
  countSlowStatements = () => 0,
): Metric[] {
  return [
    {
      name: "blog_database_connections_in_use",
      help: "Database connections in use.",
      read: () => pool.totalCount - pool.idleCount + readPipeline.totalCount - readPipeline.idleCount,
    },
    {
      name: "blog_database_connections_awaited",
      help: "Statements and transactions that wait for a database connection.",
      read: () => pool.waitingCount + readPipeline.waitingCount,
    },
    {
      name: "blog_database_connections_limit",
      help: "Maximum number of database connections for requests.",
      read: () => limits.pool + limits.readPipeline,
    },
    {
      name: "blog_database_slow_statements_total",
      help: "SQL statements that took longer than SLOW_STATEMENT_MS.",
      read: countSlowStatements,
    },
    ...backlogMetrics(openBacklog(readPipeline, MAX_ATTEMPTS)),
  ];
}

/** All of one statement, and absent if the database does not answer in time. */
function backlogMetrics(count: () => Promise<Backlog>): Metric[] {
  return [
    {
      name: "blog_database_up",
      help: "Whether the database answered a statement within a second.",
      read: () =>
        count().then(
          () => 1,
          () => 0,
        ),
    },
    {
      name: "blog_jobs",
      help: "Background jobs: due, scheduled for later, running, or failed for good.",
      label: "state",
      read: async () => (await count()).jobs,
    },
    {
      name: "blog_jobs_oldest_due_seconds",
      help: "Time for which the oldest due background job has waited, in seconds.",
      read: async () => (await count()).oldestDueSeconds,
    },
    {
      name: "blog_emails_waiting",
      oldName: "blog_letters_waiting",
      help: "Emails that are still to be delivered.",
      read: async () => (await count()).emails.waiting,
    },
    {
      name: "blog_emails_given_up",
      help: "Emails that were given up, because the mail server refused them or their link expired.",
      read: async () => (await count()).emails.givenUp,
    },
  ];
}

type Failures = {
  renderer: { countFailures: () => number };
  encoder: { countFailures: () => { uploads: number; jobs: number } };
};

export const failureMetric = (renderer: Failures["renderer"], encoder: Failures["encoder"]): Metric => ({
  name: "blog_isolated_task_failures_total",
  help: "Tasks that exceeded the limits of their thread or process, or ended it; it is replaced.",
  label: "kind",
  read() {
    const { uploads, jobs } = encoder.countFailures();
    return { markdown: renderer.countFailures(), pictures: uploads, picture_jobs: jobs };
  },
});
