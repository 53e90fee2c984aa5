import pg from "pg";
import { expect, inject, onTestFinished, test } from "vitest";
import { createDatabase, query } from "../testing/database-server.ts";
import { migrate } from "./migrations.ts";

/** Can be applied again. */
const PENDING = "20261129080000_notify_of_html";

async function createOldDatabase(): Promise<string> {
  const { url, drop } = await createDatabase(inject("postgres").adminUrl, "empty");
  onTestFinished(drop);
  await migrate(url);
  await query(url, `DELETE FROM _prisma_migrations WHERE migration_name = '${PENDING}'`);
  return url;
}

test("R42B-2: waits for a backup that reads the tables, and lets others read them meanwhile", async () => {
  const url = await createOldDatabase();
  const backup = new pg.Client({ connectionString: url });
  await backup.connect();
  await backup.query(`BEGIN; SELECT FROM "Post"`);
  const lines: string[] = [];
  let isApplied = false;
  const migrating = migrate(url, undefined, (line) => lines.push(line)).finally(() => (isApplied = true));
  await expect.poll(() => lines).toEqual([expect.stringContaining("waiting for its end")]);
  for (let n = 0; n < 5; n++) {
    const began = performance.now();
    await query(url, `SELECT FROM "Post"`);
    expect(performance.now() - began).toBeLessThan(1_000);
    await new Promise((done) => setTimeout(done, 200));
  }
  expect(isApplied).toBe(false);
  await backup.query("ROLLBACK");
  await backup.end();
  expect(await migrating).toEqual([PENDING]);
});

test("R42B-3: waits neither for short transactions nor for a vacuum", async () => {
  const url = await createOldDatabase();
  const [reader, vacuum] = [1, 2].map(() => new pg.Client({ connectionString: url })) as [
    pg.Client,
    pg.Client,
  ];
  for (const client of [reader, vacuum]) await client.connect();
  await vacuum.query(`BEGIN; LOCK TABLE "Category" IN SHARE UPDATE EXCLUSIVE MODE`);
  let isOver = false;
  const reading = (async () => {
    while (!isOver)
      await reader.query(
        `BEGIN; SELECT pg_sleep(0.2) FROM "Post" RIGHT JOIN (VALUES (1)) one ON true; COMMIT`,
      );
  })();
  expect(await migrate(url)).toEqual([PENDING]);
  isOver = true;
  await reading;
  for (const client of [reader, vacuum]) await client.end();
});

test("R43B: lets others read the tables between attempts to lock them, while statements of seconds overlap", async () => {
  const url = await createOldDatabase();
  const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
  const searchTwice = async (delay: number) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await pause(delay);
    for (let n = 0; n < 2; n++)
      await client.query(`SELECT pg_sleep(4) FROM "Post" RIGHT JOIN (VALUES (1)) one ON true`);
    await client.end();
  };
  // One of them runs for two more seconds at any time.
  const searching = Promise.all([searchTwice(0), searchTwice(2_000)]);
  const isReading = `SELECT 1 / count(*) FROM pg_locks WHERE relation = '"Post"'::regclass`;
  await expect
    .poll(() =>
      query(url, isReading).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  let isOver = false;
  const lines: string[] = [];
  const migrating = migrate(url, undefined, (line) => lines.push(line)).finally(() => (isOver = true));
  while (!isOver) {
    const began = performance.now();
    await query(url, `SELECT FROM "Post"`);
    // A migration that waited as long as it has to would let others wait for at least two seconds.
    expect(performance.now() - began).toBeLessThan(1_900);
    await pause(50);
  }
  expect(await migrating).toEqual([PENDING]);
  expect(lines.join()).toContain("waiting for its end");
  await searching;
});
