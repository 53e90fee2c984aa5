import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Services } from "../domain/context.ts";
import { register } from "../domain/accounts/accounts.ts";
import type { Deliver } from "../mail/transports.ts";
import { openOutbox } from "../mail/transports.ts";
import { callerOf, ctxOf, VERIFY_MESSAGE } from "../testing/accounts.ts";
import { PASSWORD, startTestApp, type TestApp } from "../testing/app.ts";
import { findFreePort } from "../data/embedded/free-port.ts";
import { startTcpProxy } from "../testing/tcp-proxy.ts";
import { FROM, makeOutbox, readOutbox, smtpTo, startMailServer, writeEmail } from "../testing/mail.ts";
import type { Log } from "./deliver-email.ts";
import { unlockDeadWorkers } from "./live-workers.ts";
import { startWorker } from "./worker.ts";

const soon = { timeout: 10_000, interval: 20 };

let blog: TestApp;
let url: string;
beforeAll(async () => {
  blog = await startTestApp();
  url = String(blog.pool.options.connectionString);
});

async function work(deliver: Deliver, services: Services = blog.services, log?: Log): Promise<void> {
  const stop = await startWorker({ url }, services, deliver, log);
  onTestFinished(stop);
}

const unsent = () => blog.db.email.count({ where: { sentAt: null } });
const addressesOf = (count: number) =>
  Array.from({ length: count }, (_, n) => `${crypto.randomUUID()}.${n}@example.com`);
const recipientsOf = ({ delivered }: Awaited<ReturnType<typeof startMailServer>>) =>
  delivered.flatMap(({ recipients }) => recipients).sort();

describe("the worker", () => {
  test("writes the email of a registration to the outbox within two seconds", async () => {
    const outbox = await makeOutbox();
    await work(openOutbox(outbox, FROM));
    const [email = ""] = addressesOf(1);
    const fields = { username: "Maya", email, password: PASSWORD };
    expect((await callerOf(blog)("POST", "/auth/register", fields)).status).toBe(201);
    const answered = performance.now();
    await vi.waitFor(
      async () => expect(await readdir(outbox)).toEqual([expect.stringMatching(/\.eml$/)]),
      soon,
    );
    expect(performance.now() - answered).toBeLessThan(2_000);
    const [file] = await readOutbox(outbox);
    expect(file?.name).toMatch(/-verify-[0-9a-f-]{36}\.eml$/);
    expect(file?.email.to).toMatchObject([{ address: email }]);
    expect(file?.email.text).toMatch(/http:\/\/blog\.test\/users\/[0-9a-f-]{36}\/verify\/[\w-]{43}/);
  });

  test("sends each email to a mail server once, and records it", async () => {
    const server = await startMailServer();
    await work(smtpTo(server.url));
    const addresses = addressesOf(10);
    for (const address of addresses) await writeEmail(blog.services, address);
    await vi.waitFor(async () => expect(await unsent()).toBe(0), soon);
    expect(recipientsOf(server)).toEqual(addresses.sort());
    const emails = await blog.db.email.findMany({ where: { recipient: { in: addresses } } });
    for (const email of emails)
      expect(email).toMatchObject({ attempts: 1, lastError: null, sentAt: expect.any(Date) });
  });

  test("delivers emails written before it started", async () => {
    const [address = ""] = addressesOf(1);
    await writeEmail(blog.services, address);
    const server = await startMailServer();
    await work(smtpTo(server.url));
    await vi.waitFor(() => expect(recipientsOf(server)).toEqual([address]), soon);
  });

  test("retries the same email while the mail server is down, without delaying requests", async () => {
    const port = await findFreePort();
    await work(smtpTo(`smtp://127.0.0.1:${port}`));
    const addresses = addressesOf(3);
    for (const [n, email] of addresses.entries()) {
      const response = await callerOf(blog)("POST", "/auth/register", {
        username: `Down ${n}`,
        email,
        password: PASSWORD,
      });
      expect([response.status, response.body.message]).toEqual([201, VERIFY_MESSAGE]);
    }
    const failed = { sentAt: null, attempts: { gte: 1 }, recipient: { in: addresses } };
    await vi.waitFor(async () => expect(await blog.db.email.count({ where: failed })).toBe(3), soon);
    const [email] = await blog.db.email.findMany({ where: failed });
    expect(email?.lastError).toContain("ECONNREFUSED");

    const server = await startMailServer({ port });
    await vi.waitFor(async () => expect(await unsent()).toBe(0), soon);
    expect(recipientsOf(server)).toEqual(addresses.sort());
  });

  test("retries after a temporary refusal", async () => {
    const server = await startMailServer({ refusals: 2 });
    await work(smtpTo(server.url));
    const addresses = addressesOf(2);
    for (const address of addresses) await writeEmail(blog.services, address);
    await vi.waitFor(async () => expect(await unsent()).toBe(0), soon);
    expect(recipientsOf(server)).toEqual(addresses.sort());
  });

  test("logs each failed attempt with id, kind, attempt and code, without content or recipient", async () => {
    const lines: object[] = [];
    const server = await startMailServer({ refusals: 2 });
    const log = { warn: (line: object, message: string) => void lines.push({ ...line, message }) };
    await work(smtpTo(server.url), blog.services, log);
    const [address = ""] = addressesOf(1);
    await writeEmail(blog.services, address);
    await vi.waitFor(async () => expect(await unsent()).toBe(0), soon);
    const { id, kind } = await blog.db.email.findFirstOrThrow({ where: { recipient: address } });
    const line = { emailId: id, kind, code: 450, message: "an email was not accepted" };
    expect(lines).toEqual([
      { ...line, attempt: 1 },
      { ...line, attempt: 2 },
    ]);
  });

  test("gives up an email after permanent refusals, or once its link has expired", async () => {
    const server = await startMailServer({ unknown: /./ });
    await work(smtpTo(server.url));
    const [refused = "", expired = ""] = addressesOf(2);
    await writeEmail(blog.services, refused);
    const long = new Date(Date.now() - 61 * 60 * 1_000);
    const email = { recipient: expired, subject: "s", text: "a link", html: "a link" };
    const { id } = await blog.db.email.create({ data: { ...email, kind: "reset", createdAt: long } });
    await blog.pool.query(
      `SELECT graphile_worker.add_job('deliver_letter', json_build_object('id', $1::text))`,
      [id],
    );
    const given = {
      sentAt: null,
      text: "",
      html: "",
      attempts: 700,
      lastError: expect.stringContaining("550"),
    };
    for (const recipient of [refused, expired])
      await vi.waitFor(async () => {
        await blog.pool.query("UPDATE graphile_worker._private_jobs SET run_at = now() WHERE run_at > now()");
        expect(await blog.db.email.findFirst({ where: { recipient } })).toMatchObject(given);
      }, soon);
    const countJobs = () => blog.pool.query("SELECT FROM graphile_worker.jobs");
    // A job ends after its last statement.
    await vi.waitFor(async () => expect((await countJobs()).rowCount).toBe(0), soon);
    await blog.db.email.deleteMany({ where: { recipient: { in: [refused, expired] } } });
  });

  test("shares the emails with another worker, each delivered once", async () => {
    const server = await startMailServer();
    await Promise.all([work(smtpTo(server.url)), work(smtpTo(server.url))]);
    const addresses = addressesOf(20);
    await Promise.all(addresses.map((address) => writeEmail(blog.services, address)));
    await vi.waitFor(async () => expect(await unsent()).toBe(0), soon);
    expect(recipientsOf(server)).toEqual(addresses.sort());
  });

  test("does other jobs while a mail server holds all deliveries", async () => {
    let finish = () => {};
    const hanging = new Promise<void>((done) => (finish = done));
    let deliveries = 0;
    await work(async () => (deliveries++, hanging));
    for (const address of addressesOf(16)) await writeEmail(blog.services, address);
    await vi.waitFor(() => expect(deliveries).toBe(2), soon);
    const addJob = (name: string) =>
      blog.pool.query("SELECT graphile_worker.add_job($1, job_key := $1)", [name]);
    const waiting = async () =>
      (
        await blog.pool.query(
          "SELECT FROM graphile_worker.jobs WHERE key IN ('remove_expired', 'remove_unverified')",
        )
      ).rowCount;
    await Promise.all([addJob("remove_expired"), addJob("remove_unverified")]);
    await vi.waitFor(async () => expect(await waiting()).toBe(0), soon);
    expect(deliveries).toBe(2);
    finish();
    await vi.waitFor(async () => expect(await unsent()).toBe(0), soon);
  });

  test("goes on after an outage of the database at the end of its jobs", async () => {
    const line = await startTcpProxy(blog.url);
    const lines: string[] = [];
    const log: Log = { warn: (_line, message) => void lines.push(message) };
    let deliveries = 0;
    const stop = await startWorker(
      { url: line.url },
      blog.services,
      async () => {
        deliveries++;
        line.refuse();
        await sleep(100);
      },
      log,
    );
    onTestFinished(stop);
    const unlocked = { timeout: 20_000, interval: 200 };
    for (const address of addressesOf(5)) {
      const before = deliveries;
      await writeEmail(blog.services, address);
      await vi.waitFor(async () => {
        await unlockDeadWorkers(blog.pool);
        expect(deliveries).toBeGreaterThan(before);
      }, unlocked);
      await sleep(300);
      line.work();
    }
    expect(lines).toContain("the workers of jobs are replaced");
    await vi.waitFor(
      async () => {
        await unlockDeadWorkers(blog.pool);
        const { rowCount } = await blog.pool.query(
          "SELECT FROM graphile_worker.jobs WHERE task_identifier = 'deliver_letter'",
        );
        expect(rowCount).toBe(0);
      },
      { timeout: 30_000, interval: 500 },
    );
  }, 120_000);

  test("waits for a delivery in progress when it stops", async () => {
    const delivered: string[] = [];
    let isUnderWay = false;
    const stop = await startWorker({ url }, blog.services, async ({ recipient }) => {
      isUnderWay = true;
      await new Promise((done) => setTimeout(done, 300));
      delivered.push(recipient);
    });
    const [address = ""] = addressesOf(1);
    await writeEmail(blog.services, address);
    await vi.waitFor(() => expect(isUnderWay).toBe(true), soon);
    await stop();
    expect(delivered).toEqual([address]);
    expect(await unsent()).toBe(0);
  });

  test("unlocks the queues of killed processes, and no job of a live one", async () => {
    let finish = () => {};
    const waiting = new Promise<void>((resolve) => (finish = resolve));
    let deliveries = 0;
    await work(async () => (deliveries++, waiting));
    onTestFinished(() => finish());
    const [address = ""] = addressesOf(1);
    await writeEmail(blog.services, address);
    await vi.waitFor(() => expect(deliveries).toBe(1), soon);
    const { pool } = blog;
    const locks = `SELECT FROM pg_locks JOIN pg_database ON database = pg_database.oid
      WHERE classid = 420694003 AND datname = current_database()`;
    await vi.waitFor(async () => expect((await pool.query(locks)).rowCount).toBeGreaterThan(0), soon);
    await pool.query(`
      UPDATE graphile_worker._private_jobs SET locked_at = now() - interval '1 hour' WHERE locked_by IS NOT NULL;
      INSERT INTO graphile_worker._private_job_queues (queue_name, locked_at, locked_by)
        VALUES ('texts', now() - interval '1 hour', 'worker-killed')
        ON CONFLICT (queue_name) DO UPDATE SET locked_at = excluded.locked_at, locked_by = excluded.locked_by`);
    const { rows } = await pool.query(`
      SELECT id FROM graphile_worker.add_job('relate_posts', run_at => now() + interval '1 day', max_attempts => 1)`);
    const [{ id }] = rows as [{ id: string }];
    const kill = `UPDATE graphile_worker._private_jobs SET attempts = 1, locked_at = now() - interval '1 minute',
      locked_by = 'worker-killed' WHERE id = $1`;
    await pool.query(kill, [id]);
    const old = "WHERE locked_at < now() - interval '2 minutes'";
    const lockedIn = async (table: string) =>
      (await pool.query(`SELECT FROM graphile_worker._private_${table} ${old}`)).rowCount;
    expect([await lockedIn("job_queues"), await lockedIn("jobs")]).toEqual([1, 1]);
    await unlockDeadWorkers(pool);
    expect([await lockedIn("job_queues"), await lockedIn("jobs")]).toEqual([0, 1]);
    finish();
    await vi.waitFor(async () => expect(await unsent()).toBe(0), soon);
    // Its job runs again, although it had its only attempt.
    const find = () => pool.query("SELECT FROM graphile_worker._private_jobs WHERE id = $1", [id]);
    await vi.waitFor(async () => expect((await find()).rowCount).toBe(0), soon);
  });
});

describe("a refused mutation", () => {
  test("sends nothing: email and job are rolled back with its transaction", async () => {
    const [address = ""] = addressesOf(1);
    const change = blog.db.$transaction(async (tx) => {
      await blog.services.mail.write(tx, "passwordChanged", address, { username: "Maya" });
      throw new Error("refused");
    });
    await expect(change).rejects.toThrow("refused");
    expect(await blog.db.email.count({ where: { recipient: address } })).toBe(0);
    const { rows } = await blog.pool.query("SELECT count(*)::int AS jobs FROM graphile_worker.jobs");
    expect(rows).toEqual([{ jobs: 0 }]);
  });

  test("creates no account if its email cannot be written", async () => {
    const [email = ""] = addressesOf(1);
    const mail = { ...blog.services.mail, write: () => Promise.reject(new Error("no room")) };
    const fields = { username: "Unwritten", email, password: PASSWORD };
    await expect(register(ctxOf(blog, { mail }), fields)).rejects.toThrow("no room");
    expect(await blog.db.user.count({ where: { email } })).toBe(0);
  });
});
