import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { removeDataDir, startBlog } from "./testing/blog.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A blog with its demo content, as a newcomer finds it. */
    blog: { url: string; email: string; password: string; outbox: string };
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const blog = await startBlog();
  const [, email = "", password = ""] = /Sign in as writer: (\S+) \/ (.+)/.exec(blog.output()) ?? [];
  project.provide("blog", { url: blog.url, email, password, outbox: join(blog.dataDir, "outbox") });
  return async () => {
    await blog.stop();
    await removeDataDir(blog.dataDir);
  };
}
