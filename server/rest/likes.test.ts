import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { bulkheadCounts } from "../queue.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createPost } from "../testing/factories.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});

const likePost = "mutation ($id: ID!) { likePost(id: $id) { id likeCount viewerHasLiked likes } }";

test("REST toggles, GraphQL likes are idempotent", async () => {
  const maya = await blog.signUp();
  const post = await createPost(blog.db, { userId: maya.id });
  const first = await blog.rest("PUT", `/posts/like/${post.id}`, maya.token, null);
  expect(first).toMatchObject({ status: 200, body: { _id: post.id, user: maya.id, likes: [maya.id] } });
  const second = await blog.rest("PUT", `/posts/like/${post.id}`, maya.token);
  expect(second.body.likes).toEqual([]);
  for (let time = 0; time < 2; time++) {
    const { body } = await blog.gql(likePost, { id: post.id }, maya.token);
    expect(body.data.likePost).toEqual({ id: post.id, likeCount: 1, viewerHasLiked: true, likes: [maya.id] });
  }
});

test("R31B B3: a network whose likes return long texts likes one post at a time", async () => {
  const maya = await blog.signUp();
  const long = await createPost(blog.db, { userId: maya.id, description: "slate ".repeat(5_000) });
  const withText = "mutation ($id: ID!) { likePost(id: $id) { description } }";
  await blog.gql(withText, { id: long.id }, maya.token);
  const { likes } = blog.services;
  let finish = () => {};
  const waiting = new Promise<void>((resolve) => (finish = resolve));
  const { add } = likes;
  const written = vi.spyOn(likes, "add").mockImplementation(async (postId, userId, selection) => {
    if (selection.description) await waiting;
    return add(postId, userId, selection);
  });
  const others = [await blog.signUp(), await blog.signUp()];
  const requests = [
    blog.gql(withText, { id: long.id }, maya.token),
    blog.gql(withText, { id: long.id }, others[0]!.token),
    blog.rest("PUT", `/posts/like/${long.id}`, others[1]!.token, null),
  ];
  await expect.poll(() => bulkheadCounts.texts).toEqual({ running: 1, waiting: 2 });
  expect((await blog.gql(likePost, { id: long.id }, maya.token)).body.data.likePost.id).toBe(long.id);
  finish();
  for (const { status, body } of await Promise.all(requests))
    expect([status, body.errors]).toEqual([200, undefined]);
  expect(await blog.db.like.count({ where: { postId: long.id } })).toBe(3);
  written.mockRestore();
});

test("PUT and DELETE of one's own like may be repeated", async () => {
  const maya = await blog.signUp();
  const post = await createPost(blog.db, { userId: maya.id });
  for (const [method, likes] of [
    ["PUT", [maya.id]],
    ["DELETE", []],
  ] as const)
    for (let time = 0; time < 2; time++) {
      const response = await blog.rest(method, `/posts/${post.id}/likes/me`, maya.token);
      expect(response).toMatchObject({ status: 200, body: { _id: post.id, user: maya.id, likes } });
    }
  const refused = [
    await blog.rest("PUT", `/posts/${post.id}/likes/me`),
    await blog.rest("PUT", "/posts/1/likes/me", maya.token),
    await blog.rest("DELETE", `/posts/${maya.id}/likes/me`, maya.token),
  ];
  expect(refused.map(({ status }) => status)).toEqual([401, 400, 404]);
});

/** Sends all requests at once. @returns who likes the post, according to each response */
async function toggleAtOnce(postId: string, callers: { token: string }[]): Promise<string[][]> {
  const toggle = ({ token }: { token: string }) => blog.rest("PUT", `/posts/like/${postId}`, token, {});
  const responses = await Promise.all(callers.map(toggle));
  expect(responses.map(({ status }) => status)).toEqual(callers.map(() => 200));
  return responses.map(({ body }) => body.likes);
}

describe.each([true, false])("fifteen concurrent toggles (with rate limits: %s)", (rateLimitsEnabled) => {
  beforeEach(() => void (blog.services.rateLimitsEnabled = rateLimitsEnabled));

  test("of one user leave the post liked, and each response shows the state of its own toggle", async () => {
    const maya = await blog.signUp();
    const post = await createPost(blog.db, { userId: maya.id });
    const noor = await blog.signUp();
    await toggleAtOnce(post.id, [noor]);
    const likes = await toggleAtOnce(post.id, Array<typeof maya>(15).fill(maya));
    expect(likes.filter((ids) => ids.join() === `${noor.id},${maya.id}`)).toHaveLength(8);
    expect(likes.filter((ids) => ids.join() === noor.id)).toHaveLength(7);
    expect(await blog.db.like.count({ where: { postId: post.id } })).toBe(2);
  });

  test("of fifteen users leave fifteen likes, and each response contains its own", async () => {
    const people = await Promise.all(Array.from({ length: 15 }, () => blog.signUp()));
    const post = await createPost(blog.db, { userId: people[0]!.id });
    const likes = await toggleAtOnce(post.id, people);
    people.forEach(({ id }, index) => expect(likes[index]).toContain(id));
    expect(await blog.db.like.count({ where: { postId: post.id } })).toBe(15);
    await toggleAtOnce(post.id, people);
    expect(await blog.db.like.count({ where: { postId: post.id } })).toBe(0);
  });
});

test("an unknown post, or one that is deleted meanwhile, is not found", async () => {
  const maya = await blog.signUp();
  const unknown = await blog.rest("PUT", `/posts/like/${maya.id}`, maya.token, {});
  expect([unknown.status, unknown.body.message]).toEqual([404, "post not found"]);
  const post = await createPost(blog.db, { userId: maya.id });
  const [toggled] = await Promise.all([
    blog.rest("PUT", `/posts/like/${post.id}`, maya.token, {}),
    blog.rest("DELETE", `/posts/${post.id}`, maya.token),
  ]);
  expect([200, 404]).toContain(toggled.status);
  expect(await blog.db.like.count({ where: { postId: post.id } })).toBe(0);
});
