import { startTestApp, type TestApp } from "./app.ts";
import { createCategory, createComment, createPost } from "./factories.ts";
import type { TestServer } from "./test-server.ts";

export type BlogWithPost = {
  blog: TestApp;
  /** The author. */
  maya: Awaited<ReturnType<TestApp["signUp"]>>;
  /** A post of the category Craft with one comment. */
  postId: string;
};

export async function startBlogWithPost(server?: TestServer): Promise<BlogWithPost> {
  const blog = await startTestApp({}, { server });
  const maya = await blog.signUp({ username: "Maya" });
  await createCategory(blog.db, "Craft");
  const { id: postId } = await createPost(blog.db, { userId: maya.id });
  await createComment(blog.db, { postId, userId: maya.id });
  return { blog, maya, postId };
}
