import { beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createCategory, createComment, createPost } from "../testing/factories.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});

test("an account is one Profile, whether it is read as viewer, as user or as author", async () => {
  const { id, token } = await blog.signUp({ username: "Maya", isAdmin: true });
  await createPost(blog.db, { userId: id });
  const profile = "{ __typename id username bio }";
  const { body } = await blog.gql(
    `{ viewer { profile ${profile} } users { nodes { profile ${profile} } } posts { nodes { user ${profile} } } }`,
    {},
    token,
  );
  const maya = { __typename: "Profile", id, username: "Maya", bio: null };
  expect(body.data).toEqual({
    viewer: { profile: maya },
    users: { nodes: [{ profile: maya }] },
    posts: { nodes: [{ user: maya }] },
  });
});

test("a post leads to its category, in whatever case its title is, until the category is deleted", async () => {
  const { id: userId, token } = await blog.signUp({ isAdmin: true });
  const craft = await createCategory(blog.db, "Craft");
  const { id } = await createPost(blog.db, { userId, category: "craft" });
  const query = "query ($id: ID!) { post(id: $id) { category categoryInfo { id title } } }";
  const read = async () => (await blog.gql(query, { id })).body.data.post;
  expect(await read()).toEqual({ category: "craft", categoryInfo: { id: craft.id, title: "Craft" } });
  await blog.gql("mutation ($id: ID!) { deleteCategory(id: $id) { id } }", { id: craft.id }, token);
  expect(await read()).toEqual({ category: "craft", categoryInfo: null });
});

test("a deletion names what it deleted", async () => {
  const { id: userId, token } = await blog.signUp();
  const { id: postId } = await createPost(blog.db, { userId });
  const { id } = await createComment(blog.db, { postId, userId });
  const deletion = "mutation ($id: ID!) { deleteComment(id: $id) { id deletedId } }";
  expect((await blog.gql(deletion, { id }, token)).body.data.deleteComment).toEqual({ id, deletedId: id });
});

test("each comment of one document shows its post with all comments before it", async () => {
  const { id: userId, token } = await blog.signUp();
  const { id } = await createPost(blog.db, { userId });
  const comment = (text: string) =>
    `createComment(postId: "${id}", text: "${text}") { post { commentCount comments { nodes { text } } } }`;
  const { body } = await blog.gql(`mutation { one: ${comment("one")} two: ${comment("two")} }`, {}, token);
  expect(body.data.one.post.commentCount).toBe(1);
  expect(body.data.two.post).toEqual({
    commentCount: 2,
    comments: { nodes: [{ text: "one" }, { text: "two" }] },
  });
});

test("a category that is longer than any title has no posts", async () => {
  const { id: userId } = await blog.signUp();
  await createPost(blog.db, { userId, category: "x".repeat(100) });
  const query = "query ($category: String!) { posts(category: $category) { totalCount } }";
  const count = async (length: number) =>
    (await blog.gql(query, { category: "x".repeat(length) })).body.data.posts.totalCount;
  expect([await count(100), await count(101), await count(50_000)]).toEqual([1, 0, 0]);
});
