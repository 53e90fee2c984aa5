import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { openTestDatabase } from "../testing/database.ts";
import { createPost, createUser } from "../testing/factories.ts";

// SYNC_ROWS=10000 makes that many random writes.

const ROWS = Number(process.env["SYNC_ROWS"] ?? 0);
const TIMEOUT = 60_000 + ROWS * 60;

let blog: TestApp;
let copy: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  blog = await startTestApp();
  copy = await openTestDatabase();
  vi.stubEnv("BLOG_URL", await blog.app.listen({ port: 0, host: "127.0.0.1" }));
  vi.stubEnv("COPY_DATABASE_URL", copy.url);
  vi.stubEnv("POLLS", "1");
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Runs the example completely, so each run continues from the stored cursors. */
async function runSync(): Promise<void> {
  vi.resetModules();
  await import("../../examples/sync.ts");
}

test(
  "examples/sync.ts keeps a second database equal to the blog through random writes by 8 writers",
  async () => {
    vi.spyOn(console, "log").mockImplementation(() => undefined);
    const { id: userId } = await createUser(blog.db);
    const ids: string[] = [];
    const [steps, WRITERS] = [ROWS || 480, 8];
    let [isWriting, runs] = [true, 0];
    const syncing = (async () => {
      for (; isWriting; runs++) await runSync();
    })();
    const step = async (n: number) => {
      const index = Math.floor(Math.random() * ids.length);
      const dice = Math.random();
      if (dice < 0.4 || ids.length < 10) {
        ids.push((await createPost(blog.db, { userId, title: `Post ${n}` })).id);
      } else if (dice < 0.75) {
        const data = n % 2 ? { title: `Changed ${n}` } : { description: `A text that was changed: ${n}` };
        await blog.db.post.updateMany({ where: { id: ids[index] }, data });
      } else {
        const [id] = ids.splice(index, 1);
        await blog.db.post.deleteMany({ where: { id } });
      }
    };
    const writer = async (from: number) => {
      for (let n = from; n < steps; n += WRITERS) await step(n);
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, n) => writer(n)));
    isWriting = false;
    await syncing;
    // The newest rows are held back for a moment.
    await wait(1_000);
    await runSync();
    const rowsOf = async ({ pool }: Pick<TestApp, "pool">, table: string) =>
      (await pool.query(`SELECT id, title, description, "updatedAt" FROM ${table} ORDER BY id`)).rows;
    const rows = await rowsOf(blog, '"Post"');
    expect(rows.length).toBeGreaterThan(steps / 20);
    expect(await rowsOf(copy, "posts")).toEqual(rows);
    if (ROWS)
      console.info(`${steps} random writes, ${runs} runs: the copy has the ${rows.length} posts of the blog`);
  },
  TIMEOUT,
);
