import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { deferredWorkDone } from "../domain/deferred-work.ts";
import { after, createAccount, DAY, HOUR } from "../testing/accounts.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { startWorker } from "./worker.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});

/** @param ahead milliseconds by which the worker's clock is ahead */
async function runJob(job: string, ahead: number): Promise<void> {
  const url = String(blog.pool.options.connectionString);
  const parts = { ...blog.services, now: after(ahead) };
  onTestFinished(await startWorker({ url }, parts, async () => undefined));
  await blog.pool.query("SELECT graphile_worker.add_job($1)", [job]);
  await vi.waitFor(
    async () => {
      const { rows } = await blog.pool.query("SELECT last_error FROM graphile_worker.jobs");
      expect(rows).toEqual([]);
    },
    { timeout: 10_000, interval: 20 },
  );
}

describe("the worker removes", () => {
  test("accounts unverified for a week", async () => {
    const verified = await createAccount(blog);
    await createAccount(blog, { verifiedAt: null });
    await runJob("remove_unverified", 7 * DAY + HOUR);
    expect(await blog.db.user.findMany({ select: { id: true } })).toEqual([{ id: verified.id }]);
  });

  test("expired sessions, tokens and rate limits", async () => {
    const maya = await blog.signUp();
    await blog.rest("POST", "/password/reset-password-link", null, { email: maya.email });
    await deferredWorkDone();
    const before = [await blog.db.session.count(), await blog.db.mailToken.count()];
    expect(before).toEqual([1, 1]);
    await runJob("remove_expired", 8 * DAY);
    expect(await blog.db.session.count()).toBe(0);
    expect(await blog.db.mailToken.count()).toBe(0);
    expect(await blog.db.throttle.count()).toBe(0);
    expect(await blog.db.user.count({ where: { id: maya.id } })).toBe(1);
  });
});
