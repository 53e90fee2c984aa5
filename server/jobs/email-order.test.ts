import { expect, onTestFinished, test, vi } from "vitest";
import { startTestApp } from "../testing/app.ts";
import { writeEmail } from "../testing/mail.ts";
import { startWorker } from "./worker.ts";

test("the first email to an address is sent before further ones to another", async () => {
  const blog = await startTestApp();
  for (let n = 0; n < 20; n++) await writeEmail(blog.services, "other@example.com");
  await writeEmail(blog.services, "own@example.com");
  const { rows: jobs } = await blog.pool.query("SELECT key, queue_name FROM graphile_worker.jobs");
  const queueOf = new Map(jobs.map(({ key, queue_name }) => [key.replace("letter ", ""), queue_name]));
  const delivered: { recipient: string; queue: string }[] = [];
  const url = String(blog.pool.options.connectionString);
  const deliver = async ({ id, recipient }: { id: string; recipient: string }) =>
    void delivered.push({ recipient, queue: queueOf.get(id) });
  onTestFinished(await startWorker({ url }, blog.services, deliver));
  await vi.waitFor(() => expect(delivered).toHaveLength(21), { timeout: 20_000 });
  // Two queues send side by side; only the order within each is defined.
  const own = delivered.find(({ recipient }) => recipient === "own@example.com");
  const sameQueue = delivered.filter(({ queue }) => queue === own?.queue);
  expect(sameQueue.length).toBeGreaterThan(2);
  expect(sameQueue.findIndex((email) => email === own)).toBeLessThanOrEqual(1);
}, 30_000);
