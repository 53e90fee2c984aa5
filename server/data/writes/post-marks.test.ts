import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import type { Slice } from "../../domain/post-selection.ts";
import type { Queries, Writes } from "../../domain/ports.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { afterFile } from "../../testing/cleanup.ts";
import { blankPicture, createPost, createUser } from "../../testing/factories.ts";
import { openDatabase } from "../client.ts";
import { openQueries } from "../queries/queries.ts";
import { openWrites } from "./writes.ts";

const DAY = "2024-01-03";
const POSTS = 5_000;

let blog: TestApp;
let queries: Queries;
let writes: Writes;
const ids = Array.from({ length: POSTS }, () => randomUUID());

beforeAll(async () => {
  blog = await startTestApp();
  const { db } = blog;
  const { id: userId } = await createUser(db);
  const pictures = ids.map(() => blankPicture());
  await db.picture.createMany({ data: pictures });
  await db.post.createMany({
    data: pictures.map(({ id: imageId }, n) => ({
      ...{ id: ids[n] as string, imageId, userId, category: "Craft" },
      ...{ title: `Post ${n}`, description: "A text of some length." },
      // Half of them within one moment, as an import writes them.
      createdAt: new Date(Date.parse(`${DAY}T12:00Z`) + Math.max(n - POSTS / 2, 0) * 1_000),
    })),
  });
  for (const day of ["2024-01-02", "2024-01-04"])
    for (let n = 0; n < 5; n++) await createPost(db, { userId, createdAt: new Date(`${day}T0${n}:00Z`) });
  const database = openDatabase(blog.url, { pool: 2 });
  afterFile(() => database.close());
  queries = openQueries(database);
  writes = openWrites(db);
});

async function expectPages(): Promise<void> {
  const all = await blog.db.post.findMany({
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { id: true },
  });
  for (let skip = 301; skip < all.length + 300; skip += 117) {
    const slice: Slice = { direction: "desc", cursor: null, take: 4, skip };
    const page = (await queries.posts({}, slice, {})).map(({ id }) => id);
    expect(page, `from ${skip} on`).toEqual(all.slice(skip, skip + 4).map(({ id }) => id));
  }
}

const run = (sql: string, values: unknown[]) => blog.pool.query(sql, values);

test("pages of a crowded day start at its marks, unless the day has changed since", async () => {
  await expectPages();
  expect(await writes.markCrowdedDays()).toBe(4);
  await expectPages();
  expect(await writes.markCrowdedDays()).toBe(0);
  const changes: [sql: string, values: unknown[]][] = [
    [`DELETE FROM "Post" WHERE id = $1`, [ids[4_990]]],
    [`UPDATE "Post" SET "createdAt" = '${DAY} 23:00Z' WHERE id = $1`, [ids[18]]],
    [`UPDATE "Post" SET "createdAt" = '2024-02-01' WHERE id = $1`, [ids[19]]],
    [`DELETE FROM "Post" WHERE id = ANY ($1)`, [ids.slice(100, 1_900)]],
  ];
  for (const [sql, values] of changes) {
    await run(sql, values);
    await expectPages();
    expect(await writes.markCrowdedDays()).toBeGreaterThan(0);
    await expectPages();
  }
});

test("a change of a text leaves the marks valid", async () => {
  await run(`UPDATE "Post" SET title = 'Another' WHERE id = ANY ($1)`, [ids]);
  expect(await writes.markCrowdedDays()).toBe(0);
});
