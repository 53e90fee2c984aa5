import { expect, test } from "vitest";
import { startTestApp } from "../testing/app.ts";
import { createPost } from "../testing/factories.ts";

test("A41-3: deletions of posts and comments are limited, but those of an admin", async () => {
  const blog = await startTestApp();
  const maya = await blog.signUp();
  const { id: postId } = await createPost(blog.db, { userId: maya.id });
  Object.assign(blog.services, {
    writeLimits: { postDeletions: 1, commentDeletions: 1 },
    rateLimitsEnabled: true,
  });
  const admin = await blog.signUp({ isAdmin: true });
  for (const { id, token, limit } of [
    { ...maya, limit: 429 },
    { ...admin, limit: 200 },
  ]) {
    const own = [await createPost(blog.db, { userId: id }), await createPost(blog.db, { userId: id })];
    const text = { postId, userId: id, text: "Yes." };
    const comments = [1, 2].map(() => blog.db.comment.create({ data: text }));
    const removals = [...own.map(({ id }) => `/posts/${id}`)];
    for (const { id } of await Promise.all(comments)) removals.push(`/comments/${id}`);
    const statuses = [];
    for (const path of removals) statuses.push((await blog.rest("DELETE", path, token)).status);
    expect(statuses).toEqual([200, limit, 200, limit]);
  }
});

test("A43-3: a network changes and deletes sixty comments in ten seconds, and may go on afterwards", async () => {
  const blog = await startTestApp();
  const maya = await blog.signUp();
  const { id: postId } = await createPost(blog.db, { userId: maya.id });
  const add = () => blog.db.comment.create({ data: { postId, userId: maya.id, text: "Yes." } });
  const comments = await Promise.all(Array.from({ length: 62 }, add));
  let now = Date.now();
  Object.assign(blog.services, { rateLimitsEnabled: true, now: () => new Date(now) });
  const statuses: number[] = [];
  const change = async (method: "PUT" | "DELETE", id: string) =>
    (await blog.rest(method, `/comments/${id}`, maya.token, method === "PUT" ? { text: "No." } : undefined))
      .status;
  for (const [n, { id }] of comments.entries()) statuses.push(await change(n % 2 ? "PUT" : "DELETE", id));
  expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 429, 429]);
  now += 10_001;
  expect(await change("DELETE", comments[60]!.id)).toBe(200);
});

test("deletions of posts have a limit of ten seconds, too, but those of an admin", async () => {
  const blog = await startTestApp();
  Object.assign(blog.services, { rateLimitsEnabled: true });
  for (const [isAdmin, last] of [
    [true, 200],
    [false, 429],
  ] as const) {
    const { id, token } = await blog.signUp({ isAdmin });
    const posts = await Promise.all(Array.from({ length: 31 }, () => createPost(blog.db, { userId: id })));
    const statuses: number[] = [];
    for (const post of posts) statuses.push((await blog.rest("DELETE", `/posts/${post.id}`, token)).status);
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), last]);
  }
});
