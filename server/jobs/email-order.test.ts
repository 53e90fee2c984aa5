import { expect, onTestFinished, test, vi } from "vitest";
import { startTestApp } from "../testing/app.ts";
import { writeEmail } from "../testing/mail.ts";
import { startWorker } from "./worker.ts";

test("the first email to an address is sent before further ones to another", async () => {
  const blog = await startTestApp();
  for (let n = 0; n < 20; n++) await writeEmail(blog.services, "other@example.com");
  await writeEmail(blog.services, "own@example.com");
  const delivered: string[] = [];
  const url = String(blog.pool.options.connectionString);
  const deliver = async ({ recipient }: { recipient: string }) => void delivered.push(recipient);
  onTestFinished(await startWorker({ url }, blog.services, deliver));
  await vi.waitFor(() => expect(delivered).toHaveLength(21), { timeout: 20_000 });
  expect(delivered.indexOf("own@example.com")).toBeLessThanOrEqual(3);
}, 30_000);
