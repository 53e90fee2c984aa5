import pg from "pg";
import { expect, test } from "vitest";
import { startTestApp } from "../testing/app.ts";
import { createPost, createUser } from "../testing/factories.ts";

const blog = await startTestApp();
const { db } = blog;
const [maya, noor] = [await createUser(db), await createUser(db)];
const posts = [await createPost(db, { userId: maya.id }), await createPost(db, { userId: noor.id })];
const ids = posts.map(({ id }) => id);

const write = (postId: string, userId: string, count: number) =>
  db.comment.createMany({ data: Array.from({ length: count }, () => ({ postId, userId, text: "Yes." })) });
const counts = async () => {
  const read = await blog.services.queries.computed("commentCount", ids);
  return ids.map((id) => read.get(id));
};
const rows = async () => {
  const groups = await db.comment.groupBy({ by: ["postId"], _count: true });
  return ids.map((id) => groups.find(({ postId }) => postId === id)?._count ?? 0);
};

test("R28A: the comments of a post are counted by triggers, whatever adds or deletes them, and not by readers", async () => {
  await Promise.all(Array.from({ length: 24 }, (_, n) => write(ids[n % 2]!, n % 3 ? maya.id : noor.id, n)));
  expect(await counts()).toEqual(await rows());
  await Promise.all([
    db.comment.deleteMany({ where: { userId: noor.id } }),
    ...Array.from({ length: 8 }, () => write(ids[0]!, maya.id, 3)),
  ]);
  await db.$executeRaw`UPDATE "Comment" SET "postId" = ${ids[1]}::uuid WHERE id IN (SELECT id FROM "Comment" LIMIT 10)`;
  expect(await counts()).toEqual(await rows());
  expect(await counts()).not.toContain(0);

  const client = new pg.Client({ connectionString: blog.url });
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE "Comment" IN ACCESS EXCLUSIVE MODE`);
  const { body } = await blog.gql(`{ post(id: "${ids[0]}") { commentCount } }`);
  expect(body.data?.post.commentCount).toBe((await counts())[0]);
  await client.end();
});

test("counts of deleted posts do not remain, and neither do those of an emptied table", async () => {
  await write(ids[0]!, maya.id, 3);
  await write(ids[1]!, maya.id, 3);
  await Promise.all([
    db.post.delete({ where: { id: ids[0]! } }),
    db.comment.deleteMany({ where: { postId: ids[1]! } }),
  ]);
  expect(await counts()).toEqual([0, 0]);
  expect(await db.commentCount.count({ where: { postId: ids[0]! } })).toBe(0);
  await write(ids[1]!, maya.id, 3);
  await db.user.delete({ where: { id: maya.id } });
  expect(await counts()).toEqual([0, 0]);
  await write(ids[1]!, noor.id, 3);
  await db.$executeRaw`TRUNCATE "Comment"`;
  expect(await counts()).toEqual([0, 0]);
});
