import { beforeAll, expect, test } from "vitest";
import { openMetrics } from "../http/metrics.ts";
import { databaseMetrics } from "./service-metrics.ts";
import { openTestDatabase } from "../testing/database.ts";

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  database = await openTestDatabase();
});

const openAll = () => openMetrics(databaseMetrics(database, { pool: 8, readPipeline: 6 }), null);
const linesOf = async ({ print }: ReturnType<typeof openAll>) => (await print()).split("\n");

async function addJob(name: string, state = "attempts = attempts"): Promise<void> {
  await database.pool.query("SELECT graphile_worker.add_job($1, job_key := $1)", [name]);
  await database.pool.query(`UPDATE graphile_worker._private_jobs SET ${state} WHERE key = $1`, [name]);
}

test("background jobs are counted by state, and emails unless they are delivered", async () => {
  await addJob("due", "run_at = now() - interval '90 seconds'");
  await addJob("later", "run_at = now() + interval '1 hour'");
  await addJob("running", "locked_at = now(), locked_by = 'worker'");
  await addJob("failed", "attempts = max_attempts");
  const email = { kind: "reset", recipient: "maya@example.org", subject: "s", text: "t", html: "h" };
  for (const more of [{}, { attempts: 3 }, { attempts: 700 }, { sentAt: new Date() }])
    await database.db.email.create({ data: { ...email, ...more } });
  const lines = await linesOf(openAll());
  for (const [state, count] of Object.entries({ due: 1, scheduled: 1, running: 1, failed: 1 }))
    expect(lines).toContain(`blog_jobs{state="${state}"} ${count}`);
  expect(lines.join("\n")).toMatch(/^blog_jobs_oldest_due_seconds 9\d/m);
  expect(lines).toEqual(expect.arrayContaining(["blog_emails_waiting 2", "blog_letters_waiting 2"]));
  expect(lines).toEqual(expect.arrayContaining(["blog_emails_given_up 1", "blog_database_up 1"]));
  expect(lines).toContain("blog_database_connections_limit 14");
});

test("a database that does not answer delays /metrics by a second, and hides only its own metrics", async () => {
  const metrics = openAll();
  const client = await database.pool.connect();
  await client.query(`BEGIN; LOCK TABLE "Letter" IN ACCESS EXCLUSIVE MODE`);
  const began = performance.now();
  // Two scrapes share one statement.
  const [lines] = await Promise.all([linesOf(metrics), linesOf(metrics)]);
  expect(performance.now() - began).toBeLessThan(2_500);
  const waiting = `SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted AND relation = '"Letter"'::regclass`;
  expect((await client.query(waiting)).rows).toEqual([{ count: 1 }]);
  await client.query("ROLLBACK");
  client.release();
  expect(lines).toContain("blog_database_up 0");
  for (const name of ["blog_jobs{", "blog_jobs_oldest", "blog_emails_waiting "])
    expect(lines.some((line) => line.startsWith(name))).toBe(false);
  await expect.poll(() => linesOf(metrics)).toContain("blog_database_up 1");
});
