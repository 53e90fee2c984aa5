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
