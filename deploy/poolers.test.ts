import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBlog, type RunningBlog } from "../e2e/testing/blog.ts";
import { openDatabase } from "../server/data/client.ts";
import { findPoolMode } from "../server/data/connections/pooler.ts";
import { query } from "../server/testing/database-server.ts";
import { makeFolder, removeFolder, startPgBouncer, startPostgres, type Program } from "./testing/programs.ts";

const folder = makeFolder("poolers");
const admin = { ADMIN_EMAIL: "owner@example.com", ADMIN_PASSWORD: "correct horse battery", DEMO: "on" };
let postgres: Awaited<ReturnType<typeof startPostgres>>;
beforeAll(async () => {
  postgres = await startPostgres(folder);
}, 60_000);
afterAll(async () => {
  await postgres.stop();
  removeFolder(folder);
});

async function openPooler(mode: "session" | "transaction", name = `blog_${mode}`, size = 20) {
  await query(postgres.url, `CREATE DATABASE ${name}`);
  const pooler = await startPgBouncer({
    folder,
    serverUrl: postgres.url,
    mode,
    settings: [`default_pool_size = ${size}`],
  });
  const urlAt = (at: number) => `postgresql://blog@127.0.0.1:${at}/${name}`;
  return { pooler, pooled: urlAt(pooler.port), direct: urlAt(postgres.port) };
}

/** Statements that time out behind others end their connection; then another client of the pooler reads. */
async function readAfterTimeout(url: string): Promise<Set<string>> {
  const poolMode = await findPoolMode(url);
  const first = openDatabase(url, { poolMode, readPipeline: 1 });
  const second = openDatabase(url, { poolMode, readPipeline: 2 });
  const own = new Set<string>();
  try {
    const slow = Array.from({ length: 5 }, () =>
      first.readPipeline.query({ text: "SELECT pg_sleep(2)::text AS other" }),
    );
    await Promise.race([Promise.all(slow), setTimeout(4_600)]).catch(() => undefined);
    for (let n = 0; n < 40; n++) {
      const results = [0, 1].map(() => second.readPipeline.query({ text: "SELECT 1 AS own" }));
      for (const { fields } of await Promise.all(results)) own.add(fields.map(({ name }) => name).join());
      await setTimeout(100);
    }
    await Promise.allSettled(slow);
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
  return own;
}

async function call(blog: RunningBlog, method: string, path: string, token = "", body?: object) {
  const response = await fetch(`${blog.url}/api${path}`, {
    method,
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as any };
}

/** Reads cached data, changes it and reads it again, concurrently. */
async function expectWorking(blog: RunningBlog): Promise<void> {
  const { body } = await call(blog, "POST", "/auth/login", "", {
    email: admin.ADMIN_EMAIL,
    password: admin.ADMIN_PASSWORD,
  });
  const readHome = async () => (await fetch(blog.url)).text();
  for (let n = 0; n < 5; n++) {
    await readHome();
    const title = `Category ${n}`;
    expect((await call(blog, "POST", "/categories", body.token, { title })).status).toBe(201);
    await expect.poll(readHome, { timeout: 2_000 }).toContain(title);
  }
  const pages = await Promise.all(
    Array.from({ length: 40 }, (_, n) => fetch(`${blog.url}/posts?page=${1 + (n % 12)}&n=${n}`)),
  );
  expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]));
  const [post] = (await call(blog, "GET", "/posts?pageNumber=1")).body;
  const likes = await Promise.all(
    Array.from({ length: 20 }, () => call(blog, "PUT", `/posts/like/${post._id}`, body.token)),
  );
  expect(new Set(likes.map(({ status }) => status))).toEqual(new Set([200]));
}

describe("row 3: PgBouncer in session mode", () => {
  let pooler: Program;
  afterAll(() => pooler.stop());

  test(
    "works without further settings, because statements set the parameters",
    { timeout: 120_000 },
    async () => {
      const made = await openPooler("session");
      pooler = made.pooler;
      const blog = await startBlog({
        dataDir: join(folder, "session"),
        env: { ...admin, DATABASE_URL: made.pooled },
      });
      expect(blog.output()).not.toContain("pooler");
      await expectWorking(blog);
      expect(await blog.stop()).toBe(0);
    },
  );
});

describe("row 4: PgBouncer in transaction mode", () => {
  let made: Awaited<ReturnType<typeof openPooler>>;
  beforeAll(async () => {
    made = await openPooler("transaction");
  });
  afterAll(() => made.pooler.stop());

  test("is refused without DATABASE_DIRECT_URL", async () => {
    const start = startBlog({ dataDir: join(folder, "alone"), env: { ...admin, DATABASE_URL: made.pooled } });
    await expect(start).rejects.toThrow(
      /DATABASE_URL leads to a pooler that lends a connection for one transaction: set DATABASE_DIRECT_URL/,
    );
  });

  test("works with DATABASE_DIRECT_URL, without stale reads or errors", { timeout: 120_000 }, async () => {
    const env = { ...admin, DATABASE_URL: made.pooled, DATABASE_DIRECT_URL: made.direct };
    const blog = await startBlog({ dataDir: join(folder, "transaction"), env });
    expect(blog.output()).toContain("DATABASE_URL leads to a pooler: statements are not prepared");
    await expectWorking(blog);
    expect(await blog.stop()).toBe(0);
  });
});

describe.each(["session", "transaction"] as const)("R35A C1: PgBouncer in %s mode", (mode) => {
  test("gives nobody the rows of a connection that has ended", { timeout: 60_000 }, async () => {
    const { pooler, pooled } = await openPooler(mode, `rows_${mode}`, 2);
    expect(await readAfterTimeout(pooled)).toEqual(new Set(["own"]));
    await pooler.stop();
  });
});
