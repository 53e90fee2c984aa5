import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createCategory, createPost } from "../testing/factories.ts";

// While an admin deletes an account, its author changes or deletes a post: the opposite order of locks would be a deadlock.

const PAUSE = 300;

let blog: TestApp;
let admin: string;
beforeAll(async () => {
  blog = await startTestApp();
  await createCategory(blog.db, "Craft");
  admin = (await blog.signUp({ isAdmin: true })).token;
});

async function writePost() {
  const { id, token } = await blog.signUp();
  const post = await createPost(blog.db, { userId: id });
  return {
    path: `/posts/${post.id}`,
    token,
    deleteAccount: () => blog.rest("DELETE", `/users/profile/${id}`, admin),
  };
}

function replace<K extends "writes" | "locks">(name: K, changed: Partial<TestApp["services"][K]>): void {
  const before = blog.services[name];
  Object.assign(blog.services, { [name]: { ...before, ...changed } });
  onTestFinished(() => void Object.assign(blog.services, { [name]: before }));
}

test("the deletion of a post is finished before that of its author", async () => {
  const { path, token, deleteAccount } = await writePost();
  const { findUploadsOfPost } = blog.services.writes;
  replace("writes", {
    findUploadsOfPost: async (tx, postId) => {
      await sleep(PAUSE);
      return findUploadsOfPost(tx, postId);
    },
  });
  const deletion = blog.rest("DELETE", path, token);
  await sleep(PAUSE / 3);
  const both = await Promise.all([deletion, deleteAccount()]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
});

test("a change of a post waits for the deletion of its author, and has no account then", async () => {
  const { path, token, deleteAccount } = await writePost();
  const { lockKey } = blog.services.locks;
  replace("locks", {
    lockKey: async (tx, key) => {
      await lockKey(tx, key);
      await sleep(PAUSE);
    },
  });
  const deletion = deleteAccount();
  await sleep(PAUSE / 3);
  const both = await Promise.all([deletion, blog.rest("PUT", path, token, { title: "Too late" })]);
  expect(both.map(({ status }) => status)).toEqual([200, 401]);
});

test("an account gets its new name while one of its posts is deleted", async () => {
  const { id, token } = await blog.signUp();
  const [kept, deleted] = [
    await createPost(blog.db, { userId: id }),
    await createPost(blog.db, { userId: id }),
  ];
  let renamed: ReturnType<typeof blog.rest> | undefined;
  await blog.db.$transaction(async (tx) => {
    await tx.post.delete({ where: { id: deleted.id } });
    renamed = blog.rest("PUT", `/users/profile/${id}`, token, { username: "Amara the Second" });
    await sleep(PAUSE);
  });
  expect((await renamed)?.status).toBe(200);
  const queued = await blog.db.unindexedPost.findMany({ where: { post: { userId: id } } });
  expect(queued).toEqual([{ postId: kept.id }]);
});
