import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { startTestApp } from "../testing/app.ts";
import { createAccount, callerOf } from "../testing/accounts.ts";
import { finishDeferredWork } from "../domain/deferred-work.ts";
import { deliverEmail, resumeDeliveries, simulateDelivery } from "./deliver-email.ts";

/** An email that no job delivers. `attempt` fails with an error: the attempts counted, and half minutes of seconds until the next. */
async function startEmail(attempts = 0) {
  const blog = await startTestApp();
  const { id } = await blog.db.email.create({
    data: { kind: "verify", recipient: "maya@example.com", subject: "s", text: "t", html: "h", attempts },
  });
  const attempt = async (error: object) => {
    await deliverEmail(blog.services, () => Promise.reject(Object.assign(new Error("no"), error)), { id });
    const { rows } = await blog.pool.query(
      "SELECT extract(epoch FROM run_at - now())::int AS seconds FROM graphile_worker.jobs WHERE key = $1",
      [`letter ${id}`],
    );
    const email = await blog.db.email.findUniqueOrThrow({ where: { id } });
    return [email.attempts, Math.ceil(rows[0].seconds / 30) * 30];
  };
  return { blog, id, attempt };
}

test("an attempt counts whose refusal contains a NUL", async () => {
  const { blog, id, attempt } = await startEmail();
  await attempt({ message: "450 a\0b" });
  const given = { attempts: 1, lastError: "450 ab" };
  expect(await blog.db.email.findUnique({ where: { id } })).toMatchObject(given);
});

test("B46-4: while no mail server can be reached, the next attempt is within a minute, and none counts as a refusal", async () => {
  const { blog, id, attempt } = await startEmail(18);
  const refused = { code: "ECONNECTION" };
  for (const attempts of [19, 20, 20]) expect(await attempt(refused)).toEqual([attempts, 60]);
  for (const command of ["CONN", "EHLO", "RCPT TO", "DATA"])
    expect(await attempt({ responseCode: 421, command })).toEqual([20, 60]);
  expect(await attempt({ responseCode: 450, command: "RCPT TO" })).toEqual([21, 900]);
  const createdAt = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
  await blog.db.email.update({ where: { id }, data: { kind: "accountDeleted", createdAt } });
  expect((await attempt(refused))[0]).toBe(700);
});

test("a mail server that refuses everything for nine minutes loses no email", async () => {
  const { attempt } = await startEmail();
  const refused = { responseCode: 554, command: "RCPT TO" };
  for (const attempts of [1, 2]) expect(await attempt(refused)).toEqual([attempts, 300]);
  expect((await attempt(refused))[0]).toBe(700);
});

test("B49: an email whose next attempt a wrong clock has set for another day is resumed, others wait as before", async () => {
  const { blog, id, attempt } = await startEmail();
  await attempt({ responseCode: 450, command: "RCPT TO" });
  const setNextAttempt = (wait: string) =>
    blog.pool.query("UPDATE graphile_worker._private_jobs SET run_at = now() + $1::interval", [wait]);
  const isDue = async () => {
    await resumeDeliveries(blog.db);
    const { rows } = await blog.pool.query("SELECT key, run_at <= now() AS due FROM graphile_worker.jobs");
    return rows;
  };
  await setNextAttempt("15 minutes");
  expect(await isDue()).toEqual([{ key: `letter ${id}`, due: false }]);
  await setNextAttempt("1 day");
  expect(await isDue()).toEqual([{ key: `letter ${id}`, due: true }]);
});

test("A43-2: a delivery is added in the same place whether an address has an account", async () => {
  const blog = await startTestApp();
  const call = callerOf(blog);
  const { email } = await createAccount(blog);
  const [unverified, password] = ["unverified@example.org", "a stranger's secret"];
  for (const [n, address] of [unverified, email].entries())
    await call("POST", "/auth/register", { username: `Visitor ${n}`, email: address, password });
  const waiting = async () => {
    await finishDeferredWork();
    const { rows } = await blog.pool.query(
      `DELETE FROM graphile_worker._private_jobs job USING graphile_worker._private_job_queues queue
        WHERE job_queue_id = queue.id RETURNING priority, queue_name ~ '^emails [01]$' AS "isQueued"`,
    );
    await blog.db.email.updateMany({ data: { sentAt: new Date() } });
    return rows.sort((a, b) => a.priority - b.priority);
  };
  await waiting();
  const expected = [0, 1, 2].map((priority) => ({ priority, isQueued: true }));
  for (const address of [email, "nobody@example.org"]) {
    for (let n = 0; n < 3; n++) await call("POST", "/password/reset-password-link", { email: address });
    expect(await waiting(), address).toEqual(expected);
  }
  for (const address of [unverified, email]) {
    await call("POST", "/auth/register", { username: `Again ${address}`, email: address, password });
    for (let n = 0; n < 2; n++) await call("POST", "/auth/login", { email: address, password });
    expect(await waiting(), address).toEqual(expected);
  }
});

test("A45-1: a delivery without an email takes as long as others to its domain, or as those to the quickest", async () => {
  const blog = await startTestApp();
  let simulated = 0;
  const deliver = Object.assign(async () => undefined, { simulate: async () => void simulated++ });
  const deliverTo = async (domain: string, milliseconds: number) => {
    const data = { kind: "reset", recipient: `maya@${domain}`, subject: "s", text: "t", html: "h" };
    const { id } = await blog.db.email.create({ data });
    await deliverEmail(blog.services, () => setTimeout(milliseconds), { id });
  };
  const simulate = async (domain: string) => {
    const began = performance.now();
    await simulateDelivery(blog.services, deliver, { domain });
    return performance.now() - began;
  };
  for (let n = 0; n < 5; n++) {
    for (const domain of ["slow.example", "slower.example"]) await deliverTo(domain, 600);
    await deliverTo("QUICK.example", 1);
  }
  expect(await simulate("slow.example")).toBeGreaterThan(550);
  for (const domain of ["quick.example", "unknown.example"]) expect(await simulate(domain)).toBeLessThan(500);
  expect(simulated).toBe(3);
});
