import { expect, test, vi } from "vitest";
import { startTestApp } from "../testing/app.ts";
import { createPost } from "../testing/factories.ts";

const blog = await startTestApp();

test("A43-1: only makes the pages of liked posts stale, and notifies of each post, however many they are", async () => {
  Object.assign(blog.services, { rateLimitsEnabled: false });
  const [maya, noor] = [await blog.signUp(), await blog.signUp()];
  await blog.pool.query(
    `WITH made AS (INSERT INTO "Picture" (id, width, height, widths, placeholder)
       SELECT gen_random_uuid(), 64, 48, '{64}', '' FROM generate_series(1, 2200) RETURNING id)
     INSERT INTO "Post" (id, title, description, category, "userId", "imageId", "createdAt", "updatedAt")
       SELECT gen_random_uuid(), 'A wall', 'Of slate.', 'Craft', $1, id, now(), now() FROM made`,
    [noor.id],
  );
  const rows = await blog.db.post.findMany({ select: { id: true } });
  const [liked, commented] = [rows.slice(0, 1_100), rows.slice(1_100)].map((some) =>
    some.map(({ id }) => id),
  );
  await blog.pool.query(`INSERT INTO "Like" ("postId", "userId") SELECT unnest($1::uuid[]), $2`, [
    liked,
    maya.id,
  ]);
  await blog.pool.query(
    `INSERT INTO "Comment" (id, text, "postId", "userId", "updatedAt")
     SELECT gen_random_uuid(), 'Yes.', unnest($1::uuid[]), $2, now()`,
    [commented, maya.id],
  );
  const client = await blog.pool.connect();
  const notified: string[] = [];
  client.on("notification", ({ payload = "" }) => notified.push(...payload.split(",")));
  await client.query("LISTEN blog_changes");
  const invalidate = vi.spyOn(blog.services, "invalidate");
  const { status } = await blog.rest("DELETE", `/users/profile/${maya.id}`, maya.token);
  expect(status).toBe(200);
  await client.query("UNLISTEN *");
  client.release();
  for (const tags of [new Set(notified), new Set<string>(invalidate.mock.calls.flat())]) {
    expect(tags.has("*") || tags.has("categories")).toBe(false);
    expect(rows.every(({ id }) => tags.has(`post:${id}`))).toBe(true);
    expect(commented!.every((id) => tags.has(`comments:${id}`))).toBe(true);
    expect(liked!.some((id) => tags.has(`comments:${id}`))).toBe(false);
  }
  invalidate.mockRestore();
});

test("A43-4: removes the pages of thirty commented posts in a second, except for an admin", async () => {
  const noor = await blog.signUp();
  const posts = await Promise.all(Array.from({ length: 65 }, () => createPost(blog.db, { userId: noor.id })));
  const maya = await blog.signUp();
  const admin = await blog.signUp({ isAdmin: true });
  Object.assign(blog.services, { rateLimitsEnabled: true });
  for (const { token, longest } of [
    { token: admin.token, longest: 1_900 },
    { token: maya.token, longest: Infinity },
  ]) {
    const { id } = token === maya.token ? maya : await blog.signUp();
    await blog.db.comment.createMany({
      data: posts.map((post) => ({ postId: post.id, userId: id, text: "Yes." })),
    });
    const times: number[] = [];
    const invalidate = vi.spyOn(blog.services, "invalidate").mockImplementation((...tags) => {
      const count = tags.filter((tag) => tag.startsWith("comments:")).length;
      if (count > 0) times.push(performance.now());
      expect(count).toBeLessThanOrEqual(30);
    });
    expect((await blog.rest("DELETE", `/users/profile/${id}`, token)).status).toBe(200);
    invalidate.mockRestore();
    expect(times).toHaveLength(3);
    const duration = times[2]! - times[0]!;
    expect(duration).toBeLessThan(longest);
    if (token === maya.token) expect(duration).toBeGreaterThan(1_900);
  }
  expect(await blog.db.comment.count()).toBe(0);
});
