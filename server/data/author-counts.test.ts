import pg from "pg";
import { expect, test } from "vitest";
import { startTestApp } from "../testing/app.ts";
import { createPost, createUser } from "../testing/factories.ts";

const blog = await startTestApp();
const { db } = blog;
const ids = [(await createUser(db)).id, (await createUser(db)).id];

const counts = async () => {
  const read = await blog.services.queries.countPostsOf(ids);
  const filtered = await Promise.all(ids.map((author) => blog.services.queries.countPosts({ author })));
  expect(ids.map((id) => read.get(id))).toEqual(filtered);
  return filtered;
};
const rows = () => Promise.all(ids.map((userId) => db.post.count({ where: { userId } })));

test("N5: the posts of an author are counted by triggers, whatever adds or deletes them, and not by readers", async () => {
  await Promise.all(Array.from({ length: 13 }, (_, n) => createPost(db, { userId: ids[n % 2]! })));
  expect(await counts()).toEqual([7, 6]);
  const [first] = await db.post.findMany({ where: { userId: ids[0]! } });
  await Promise.all([
    db.post.delete({ where: { id: first!.id } }),
    ...Array.from({ length: 8 }, () => createPost(db, { userId: ids[0]! })),
  ]);
  await db.$executeRaw`UPDATE "Post" SET "userId" = ${ids[1]}::uuid WHERE id IN (SELECT id FROM "Post" LIMIT 5)`;
  expect(await counts()).toEqual(await rows());

  const client = new pg.Client({ connectionString: blog.url });
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE "Post" IN ACCESS EXCLUSIVE MODE`);
  expect(await counts()).not.toContain(0);
  await client.end();
});

test("counts of deleted authors do not remain, and neither do those of an emptied table", async () => {
  await db.user.delete({ where: { id: ids[0]! } });
  expect(await counts()).toEqual([0, (await rows())[1]]);
  expect(await db.authorCount.count({ where: { userId: ids[0]! } })).toBe(0);
  await db.$executeRaw`TRUNCATE "Post" CASCADE`;
  expect(await counts()).toEqual([0, 0]);
});
