import { expect, test } from "vitest";
import { requireDiskSpace } from "./disk-space.ts";
import { indexPending } from "./domain/searching/search-index.ts";
import { databaseFull } from "./errors.ts";
import { startTestApp } from "./testing/app.ts";
import { createCategory, createPost } from "./testing/factories.ts";

const MB = 1e6;
// A twentieth of a disk, at most 1 GB, is what pictures leave: texts may use half of it.
test.each([
  { disk: 1_000_000, least: 500 },
  { disk: 10_000, least: 250 },
  { disk: 400, least: 64 },
])(
  "R24A: texts leave $least MB of a disk of $disk MB, and what the log of PostgreSQL may take",
  async ({ disk, least }) => {
    const check = (free: number) =>
      requireDiskSpace("/data", "texts", {
        growth: 50 * MB,
        readDisk: async () => ({ bsize: MB, blocks: disk, bavail: free, files: 0, ffree: 0 }),
      });
    await expect(check(50 + least - 1)).rejects.toMatchObject({
      code: "INSUFFICIENT_STORAGE",
      message: "there is no room left, please tell the administrator",
    });
    await check(50 + least);
  },
);

test("R25A: the last files of a disk stay for other data as its last bytes do", async () => {
  const check = (use: "texts" | "pictures", ffree: number) =>
    requireDiskSpace("/data", use, {
      readDisk: async () => ({ bsize: MB, blocks: 10_000, bavail: 9_000, files: 1_000, ffree }),
    });
  await expect(check("pictures", 49)).rejects.toMatchObject({ code: "INSUFFICIENT_STORAGE" });
  await expect(check("texts", 24)).rejects.toMatchObject({ code: "INSUFFICIENT_STORAGE" });
  await check("pictures", 50);
  await check("texts", 25);
});

test("without room the posts of a renamed author stay to be indexed", async () => {
  const blog = await startTestApp();
  const { id: userId } = await blog.signUp();
  await createPost(blog.db, { userId });
  await blog.db.user.update({ where: { id: userId }, data: { username: "Rosa Klee" } });
  const { requireDiskSpace: enough } = blog.services;
  blog.services.requireDiskSpace = () => Promise.reject(databaseFull(new Error("full")));
  await expect(indexPending(blog.services)).rejects.toMatchObject({ code: "INSUFFICIENT_STORAGE" });
  expect(await blog.db.unindexedPost.count()).toBe(1);
  blog.services.requireDiskSpace = enough;
  await indexPending(blog.services);
  expect(await blog.db.unindexedPost.count()).toBe(0);
});

test("without room no text is stored; likes, sign-ins and deletions work", async () => {
  const blog = await startTestApp();
  await createCategory(blog.db, "Craft");
  const { id: userId, token } = await blog.signUp();
  const { id: postId } = await createPost(blog.db, { userId });
  blog.services.requireDiskSpace = () => Promise.reject(databaseFull(new Error("full")));
  const save = 'mutation { saveDraft(input: { title: "On moss" }) { id } }';
  const drafted = await blog.gql(save, {}, token);
  const commented = await blog.rest("POST", "/comments", token, { postId, text: "Well said." });
  const changed = await blog.rest("PUT", `/posts/${postId}`, token, { title: "On slate" });
  const edited = await blog.gql(`mutation { editPost(id: "${postId}") { id } }`, {}, token);
  for (const { body } of [drafted, edited])
    expect(body.errors[0].extensions.code).toBe("INSUFFICIENT_STORAGE");
  expect([commented.status, changed.status]).toEqual([507, 507]);
  const renamed = await blog.rest("PUT", `/users/profile/${userId}`, token, { username: "Rosa Klee" });
  expect(renamed.status).toBe(507);
  await blog.signUp();
  const liked = await blog.rest("PUT", `/posts/like/${postId}`, token);
  const deleted = await blog.rest("DELETE", `/posts/${postId}`, token);
  expect([liked.status, deleted.status]).toEqual([200, 200]);
});
