import { expect, test } from "vitest";
import { findPoolMode } from "./connections/pooler.ts";
import { migrate } from "./migrations.ts";
import { startTestApp } from "../testing/app.ts";
import { query } from "../testing/database-server.ts";
import { createPost } from "../testing/factories.ts";
import { startTcpProxy } from "../testing/tcp-proxy.ts";

const MINUTE = 60_000;

test("R43B-2: times and sessions do not depend on the time zone of PostgreSQL", async () => {
  const mapUrl = async (url: string) => {
    await query(url, `ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET timezone = 'America/New_York'`);
    return url;
  };
  const blog = await startTestApp({}, { mapUrl });
  const maya = await blog.signUp();
  const { id } = await createPost(blog.db, { userId: maya.id });
  const { body } = await blog.rest("POST", "/comments", maya.token, { postId: id, text: "Yes." });
  const posts = (await blog.rest("GET", `/posts/${id}`)).body;
  for (const time of [body.createdAt, posts.createdAt, posts.comments[0].createdAt])
    expect(Math.abs(Date.now() - Date.parse(time))).toBeLessThan(MINUTE);
  const { rows } = await blog.pool.query(
    `SELECT max(abs(extract(epoch FROM now() - "createdAt"))) AS age FROM "Session"`,
  );
  expect(Number(rows[0].age)).toBeLessThan(60);
});

test("R43B-3: an update unschedules drafts that a release without UTC has scheduled, and ends sessions", async () => {
  const blog = await startTestApp();
  const maya = await blog.signUp();
  const zone = "Asia/Tokyo";
  const due = new Date("2030-01-01T12:00:00Z");
  const draft = { title: "", description: "", category: "", userId: maya.id, publishAt: due };
  const { id } = await blog.db.draft.create({ data: draft });
  const publishAt = async () => (await blog.db.draft.findUniqueOrThrow({ where: { id } })).publishAt;
  const update = async () => {
    await blog.pool.query("DELETE FROM _prisma_migrations WHERE migration_name ~ 'use_utc'");
    expect(await migrate(blog.url)).toEqual(["20261129120000_use_utc"]);
  };
  await update();
  expect([await publishAt(), await blog.db.session.count()]).toEqual([due, 1]);
  await blog.pool.query(`UPDATE "Draft" SET "publishAt" = ("publishAt" AT TIME ZONE 'UTC') AT TIME ZONE $1`, [
    zone,
  ]);
  await query(blog.url, `ALTER DATABASE "${new URL(blog.url).pathname.slice(1)}" SET timezone = '${zone}'`);
  await update();
  expect([await publishAt(), await blog.db.session.count()]).toEqual([null, 0]);
  const { publishError } = await blog.db.draft.findUniqueOrThrow({ where: { id } });
  expect(publishError).toContain("please choose the time again");
});

test("a pooler that does not pass on the time zone is refused", async () => {
  const { url } = await startTestApp();
  const pooler = await startTcpProxy(url, (chunk) =>
    Buffer.from(chunk.toString("latin1").replace("TimeZone\0UTC", "TimeZone\0GMT"), "latin1"),
  );
  await expect(findPoolMode(pooler.url)).rejects.toThrow("does not pass on the time zone UTC");
  expect(await findPoolMode(url)).toBeNull();
});
