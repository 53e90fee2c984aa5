import { expect, test, vi } from "vitest";
import { callerOf } from "../testing/accounts.ts";
import { PASSWORD, startTestApp } from "../testing/app.ts";
import { removeClosedAccounts } from "./accounts/closed-accounts.ts";
import { finishDeferredWork } from "./deferred-work.ts";
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

test("A43-4, A44-3: removes the pages of ten commented posts in a second", async () => {
  const noor = await blog.signUp();
  const posts = await Promise.all(Array.from({ length: 25 }, () => createPost(blog.db, { userId: noor.id })));
  const maya = await blog.signUp();
  Object.assign(blog.services, { rateLimitsEnabled: true });
  await blog.db.comment.createMany({
    data: posts.map((post) => ({ postId: post.id, userId: maya.id, text: "Yes." })),
  });
  await Promise.all(Array.from({ length: 15 }, () => createPost(blog.db, { userId: maya.id })));
  const removed: { at: number; comments: number; posts: number }[] = [];
  const invalidate = vi.spyOn(blog.services, "invalidate").mockImplementation((...tags) => {
    const count = (kind: string) => tags.filter((tag) => tag.startsWith(`${kind}:`)).length;
    removed.push({ at: performance.now(), comments: count("comments"), posts: count("content") });
  });
  expect((await blog.rest("DELETE", `/users/profile/${maya.id}`, maya.token)).status).toBe(200);
  invalidate.mockRestore();
  expect(removed.map(({ posts, comments }) => `${posts} ${comments}`)).toEqual([
    ...["15 0", "0 10", "0 10", "0 5", "0 0"],
  ]);
  const pauses = removed.slice(1).map(({ at }, n) => at - removed[n]!.at);
  for (const [n, least] of [140, 950, 950, 450].entries()) expect(pauses[n]).toBeGreaterThan(least);
  expect(await blog.db.comment.count()).toBe(0);
});

test("A44-2: a closed account has neither scheduled drafts nor preview links, and nobody can sign in to it", async () => {
  const maya = await blog.signUp();
  const draft = { userId: maya.id, title: "Slate", publishAt: new Date(Date.now() + 60_000) };
  await blog.db.draft.create({ data: { ...draft, previewLink: { create: { token: "a".repeat(43) } } } });
  vi.spyOn(blog.db.post, "findMany").mockRejectedValueOnce(new Error("lost"));
  expect((await blog.rest("DELETE", `/users/profile/${maya.id}`, maya.token)).status).toBe(200);
  const drafts = await blog.db.draft.findMany({ where: { userId: maya.id }, include: { previewLink: true } });
  expect(drafts).toMatchObject([{ publishAt: null, previewLink: null }]);
  const user = await blog.db.user.findUnique({ where: { id: maya.id }, include: { sessions: true } });
  expect(user).toMatchObject({ email: `deleted ${maya.id}`, passwordHash: "none", sessions: [] });
  const { email } = user!;
  const fields = { username: "Noor", email, password: PASSWORD };
  for (const [path, status] of Object.entries({ "/auth/register": 400, "/auth/login": 400 }))
    expect((await callerOf(blog)("POST", path, fields)).status).toBe(status);
  await blog.rest("POST", "/password/reset-password-link", null, { email });
  await finishDeferredWork();
  expect(await blog.db.mailToken.count({ where: { userId: maya.id } })).toBe(0);
});

test("A45-N1: a reset that was requested before an account is closed makes no link after it", async () => {
  const maya = await blog.signUp();
  const closing = await blog.pool.connect();
  await closing.query("BEGIN");
  await closing.query(`UPDATE "User" SET email = 'closed', "passwordHash" = 'none' WHERE id = $1`, [maya.id]);
  await blog.rest("POST", "/password/reset-password-link", null, { email: maya.email });
  const waiting =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await expect.poll(async () => (await blog.pool.query(waiting)).rowCount).toBe(1);
  await closing.query("COMMIT");
  closing.release();
  await finishDeferredWork();
  expect(await blog.db.mailToken.count({ where: { userId: maya.id } })).toBe(0);
});

test("deletes many comments while the statistics show an empty table, and so does deleting their post", async () => {
  Object.assign(blog.services, { rateLimitsEnabled: false });
  const [maya, noor] = [await blog.signUp(), await blog.signUp()];
  const posts = [
    await createPost(blog.db, { userId: noor.id }),
    await createPost(blog.db, { userId: noor.id }),
  ];
  await blog.pool.query('ALTER TABLE "Comment" SET (autovacuum_enabled = false)');
  await blog.db.comment.deleteMany();
  const insert = `INSERT INTO "Comment" (id, text, "postId", "userId", "updatedAt")
     SELECT gen_random_uuid(), 'Yes.', $1::uuid, $2::uuid, now() FROM generate_series(1, $3::int)`;
  for (const count of [1, 15_000]) {
    for (const { id } of posts) await blog.pool.query(insert, [id, maya.id, count]);
    if (count === 1) await blog.pool.query('DELETE FROM "Comment"; ANALYZE "Comment"');
  }
  expect((await blog.rest("DELETE", `/posts/${posts[0]!.id}`, noor.token)).status).toBe(200);
  expect(await blog.db.comment.count()).toBe(15_000);
  expect((await blog.rest("DELETE", `/users/profile/${maya.id}`, maya.token)).status).toBe(200);
  await removeClosedAccounts(blog.services);
  expect(await blog.db.comment.count()).toBe(0);
  await blog.pool.query('ALTER TABLE "Comment" RESET (autovacuum_enabled)');
});

test("a deletion returns its id in GraphQL", async () => {
  const maya = await blog.signUp();
  const mutation = "mutation ($id: ID!) { deleteProfile(id: $id) { id message } }";
  const { body } = await blog.gql(mutation, { id: maya.id }, maya.token);
  expect(body.data.deleteProfile).toEqual({ id: maya.id, message: "your profile has been deleted" });
});
