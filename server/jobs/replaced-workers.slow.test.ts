import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { startTestApp } from "../testing/app.ts";
import { writeEmail } from "../testing/mail.ts";
import { unlockDeadWorkers } from "./live-workers.ts";
import { startWorker } from "./worker.ts";

test("B47-4: workers that could not report the end of a job leave no queue locked", async () => {
  const blog = await startTestApp();
  const url = String(blog.pool.options.connectionString);
  const warn = vi.fn();
  const delivered: string[] = [];
  await blog.pool.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`);
  const deliver = async ({ recipient }: { recipient: string }) => {
    delivered.push(recipient);
    if (delivered.length === 1)
      await blog.pool.query(`
        CREATE TRIGGER refuse BEFORE DELETE ON graphile_worker._private_jobs FOR EACH ROW EXECUTE FUNCTION refuse()`);
  };
  onTestFinished(await startWorker({ url }, blog.services, deliver, { warn }));
  await writeEmail(blog.services, "first@example.com");
  await vi.waitFor(() => expect(warn.mock.calls.at(-1)?.[1]).toBe("the workers of jobs are replaced"), {
    timeout: 30_000,
  });
  await blog.pool.query("DROP TRIGGER refuse ON graphile_worker._private_jobs");
  const locked =
    "SELECT FROM graphile_worker._private_job_queues WHERE locked_by IS NOT NULL AND queue_name LIKE 'emails%'";
  expect((await blog.pool.query(locked)).rowCount).toBe(1);
  await vi.waitFor(
    async () => {
      await unlockDeadWorkers(blog.pool);
      expect((await blog.pool.query(locked)).rowCount).toBe(0);
    },
    { timeout: 20_000, interval: 500 },
  );
}, 90_000);

test("B47-5: workers whose first statement failed are replaced", async () => {
  const blog = await startTestApp();
  const url = String(blog.pool.options.connectionString);
  await blog.pool.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF current_query() LIKE '%_private_tasks as tasks (%' THEN RAISE 'refused'; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON graphile_worker._private_tasks FOR EACH ROW EXECUTE FUNCTION refuse()`);
  const deliver = vi.fn(async () => undefined);
  const [warn, getTasks] = [vi.fn(), vi.spyOn(pg.Client.prototype, "query")];
  onTestFinished(() => getTasks.mockRestore());
  onTestFinished(await startWorker({ url }, blog.services, deliver, { warn }));
  const isTaskQuery = ([query]: unknown[]) => JSON.stringify(query)?.includes("_private_tasks as tasks (");
  await vi.waitFor(() => expect(getTasks.mock.calls.some(isTaskQuery)).toBe(true), { timeout: 10_000 });
  await blog.pool.query("DROP TRIGGER refuse ON graphile_worker._private_tasks");
  await writeEmail(blog.services, "first@example.com");
  await vi.waitFor(() => expect(deliver).toHaveBeenCalledOnce(), { timeout: 30_000 });
  expect(warn).toHaveBeenCalledWith(expect.anything(), "the workers of jobs are replaced");
}, 90_000);

test("B49-1: a queue that a killed process locked while the clock was ahead is unlocked", async () => {
  const { pool } = await startTestApp();
  await pool.query(`
    INSERT INTO graphile_worker._private_job_queues (queue_name, locked_at, locked_by) VALUES
      ('emails 0', now() + interval '1 day', 'worker-killed'), ('emails 1', now(), 'worker-new')`);
  await unlockDeadWorkers(pool);
  const { rows } = await pool.query(
    "SELECT queue_name FROM graphile_worker._private_job_queues WHERE locked_by IS NOT NULL",
  );
  expect(rows).toEqual([{ queue_name: "emails 1" }]);
});
