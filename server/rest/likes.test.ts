import { beforeAll, expect, test } from "vitest";
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

test("an odd number of concurrent toggles leaves the post liked", async () => {
  const maya = await blog.signUp();
  const post = await createPost(blog.db, { userId: maya.id });
  const toggles = Array.from({ length: 15 }, () =>
    blog.rest("PUT", `/posts/like/${post.id}`, maya.token, {}),
  );
  const states = (await Promise.all(toggles)).map(({ body }) => body.likes.length);
  expect(states.filter((state) => state === 1)).toHaveLength(8);
  expect(await blog.db.like.count({ where: { postId: post.id } })).toBe(1);
});
