import { randomUUID } from "node:crypto";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { finishDeferredWork } from "../domain/deferred-work.ts";
import { sweepPictures } from "../domain/pictures.ts";
import { removeExpired } from "../domain/retention.ts";
import { after, createAccount, DAY, HOUR } from "../testing/accounts.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createCategory } from "../testing/factories.ts";
import { content, newDraft, newUpload } from "../testing/operation-rows.ts";
import { adoptPictures } from "../testing/picture-store.ts";
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

  test("pictures that were uploaded for a text and are in none for a day", async () => {
    const { id } = await createAccount(blog);
    const [old, recent] = [await newUpload(id)(blog), await newUpload(id)(blog)];
    const unusedSince = new Date(Date.now() - DAY);
    await blog.db.upload.update({ where: { pictureId: old.picture }, data: { unusedSince } });
    await runJob("sweep_pictures", HOUR);
    expect(await blog.db.upload.findMany({ select: { pictureId: true } })).toEqual([
      { pictureId: recent.picture },
    ]);
    expect(await blog.db.picture.count({ where: { id: old.picture } })).toBe(0);
  });

  test("expired sessions, tokens and rate limits", async () => {
    const maya = await blog.signUp();
    await blog.rest("POST", "/password/reset-password-link", null, { email: maya.email });
    await finishDeferredWork();
    const before = [await blog.db.session.count(), await blog.db.mailToken.count()];
    expect(before).toEqual([1, 1]);
    await runJob("remove_expired", 8 * DAY);
    expect(await blog.db.session.count()).toBe(0);
    expect(await blog.db.mailToken.count()).toBe(0);
    expect(await blog.db.throttle.count()).toBe(0);
    expect(await blog.db.user.count({ where: { id: maya.id } })).toBe(1);
  });
});

test("the worker publishes a draft at its time", async () => {
  const { id } = await createAccount(blog);
  await createCategory(blog.db, content.category);
  const { draft } = await newDraft(id)(blog);
  const url = String(blog.pool.options.connectionString);
  onTestFinished(await startWorker({ url }, blog.services, async () => undefined));
  await blog.db.draft.update({ where: { id: draft }, data: { publishAt: new Date() } });
  await vi.waitFor(
    async () => expect(await blog.db.post.count({ where: { draftId: draft, title: content.title } })).toBe(1),
    { timeout: 10_000, interval: 20 },
  );
  expect(await blog.db.draft.count({ where: { id: draft } })).toBe(0);
});

test("the sweep removes files without a row, but none of a database that has or had the same store", async () => {
  const { db, files, services } = blog;
  const id = randomUUID();
  const hasOrphan = () => files.has(id, "picture.jpg");
  await files.create(id, [{ name: "picture.jpg", bytes: Buffer.from("a picture") }]);
  const time = new Date(Date.now() - 2 * HOUR);
  await utimes(join(blog.mediaFolder, id.slice(0, 2), id), time, time);
  await adoptPictures(blog);
  const own = await db.mediaFolder.findFirstOrThrow();
  for (const change of [
    { adoptedAt: new Date(Date.now() - HOUR) },
    { id: randomUUID() },
    { database: "another" },
  ]) {
    await db.mediaFolder.updateMany({ data: change });
    expect(await sweepPictures(services)).toEqual({ removed: 0, skipped: 0 });
    await db.mediaFolder.updateMany({ data: own });
  }
  expect(await hasOrphan()).toBe(true);
  // Without a picture of its own the store looks like a wrong one.
  const { picture } = await newUpload((await createAccount(blog)).id)(blog);
  await files.create(picture, [{ name: "picture.jpg", bytes: Buffer.from("another") }]);
  expect(await sweepPictures(services)).toMatchObject({ removed: 1 });
  expect(await hasOrphan()).toBe(false);
});

test("R29B: the hourly job deletes emails that were delivered or given up a month ago", async () => {
  const email = { kind: "verify", recipient: "maya@example.com", subject: "s", text: "", html: "" };
  const [now, old] = [new Date(), new Date(Date.now() - 31 * 24 * 60 * 60 * 1000)];
  await blog.db.email.deleteMany();
  const rows = [
    { sentAt: old },
    { sentAt: null, createdAt: old },
    { sentAt: null, createdAt: now },
    { sentAt: now },
  ];
  await blog.db.email.createMany({ data: rows.map((row) => ({ ...email, ...row })) });
  await removeExpired(blog.services);
  const left = await blog.db.email.findMany({ select: { sentAt: true, createdAt: true } });
  expect(left).toHaveLength(2);
  expect(left.every(({ sentAt, createdAt }) => (sentAt ?? createdAt) > old)).toBe(true);
});
