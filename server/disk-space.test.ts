import { expect, test } from "vitest";
import { requireDiskSpace } from "./disk-space.ts";
import { databaseFull } from "./errors.ts";
import { startTestApp } from "./testing/app.ts";
import { createCategory, createPost } from "./testing/factories.ts";

const MB = 1e6;
// A twentieth of a disk, at most 1 GB, is what pictures leave: texts may use half of it.
test.each([
  { disk: 1_000_000, least: 500 },
  { disk: 10_000, least: 250 },
  { disk: 400, least: 64 },
])("R24A: texts leave $least MB of a disk of $disk MB", async ({ disk, least }) => {
  const check = (free: number) =>
    requireDiskSpace("/data", "texts", async () => ({ bsize: MB, blocks: disk, bavail: free }));
  await expect(check(least - 1)).rejects.toMatchObject({
    code: "INSUFFICIENT_STORAGE",
    message: "there is no room left, please tell the administrator",
  });
  await check(least);
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
  await blog.signUp();
  const liked = await blog.rest("PUT", `/posts/like/${postId}`, token);
  const deleted = await blog.rest("DELETE", `/posts/${postId}`, token);
  expect([liked.status, deleted.status]).toEqual([200, 200]);
});
