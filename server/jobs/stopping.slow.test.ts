import { expect, onTestFinished, test, vi } from "vitest";
import type { Deliver } from "../mail/transports.ts";
import { startTestApp } from "../testing/app.ts";
import { smtpTo, startMailServer, writeEmail } from "../testing/mail.ts";
import { startWorker } from "./worker.ts";

test("R29B: a stop does not wait for a mail server that hangs, and the next start delivers the email", async () => {
  const blog = await startTestApp();
  const url = String(blog.pool.options.connectionString);
  const recipient = "maya@example.com";
  const began = vi.fn();
  const hang: Deliver = (_email, signal) =>
    new Promise((_, reject) => {
      began();
      signal?.addEventListener("abort", () => reject(signal.reason as Error));
    });
  const stop = await startWorker({ url }, blog.services, hang);
  await writeEmail(blog.services, recipient);
  await vi.waitFor(() => expect(began).toHaveBeenCalled(), { timeout: 10_000 });
  await stop();
  const unsent = { sentAt: null, attempts: 0 };
  expect(await blog.db.email.findFirst({ where: { recipient } })).toMatchObject(unsent);

  const server = await startMailServer();
  onTestFinished(await startWorker({ url }, blog.services, smtpTo(server.url)));
  await vi.waitFor(() => expect(server.delivered).toHaveLength(1), { timeout: 10_000 });
});
