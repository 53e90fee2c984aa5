import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { createDatabase } from "../server/testing/database-server.ts";
import { removeDataDir, startBlog } from "./testing/blog.ts";
import { chromiumPath } from "./testing/browser.ts";

export type GivenBlog = {
  dataDir: string;
  url: string;
  email: string;
  password: string;
  adminEmail: string;
  outbox: string;
};

declare module "vitest" {
  export interface ProvidedContext {
    /** One for each worker, so that files running at the same time do not see each other's content. */
    blogs: GivenBlog[];
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Two workers at once would unpack it into the same file.
  await chromiumPath();
  const workers = Number(project.config.maxWorkers);
  const running = await Promise.all(Array.from({ length: workers }, startGivenBlog));
  project.provide(
    "blogs",
    running.map(({ given }) => given),
  );
  return async () => {
    await Promise.all(running.map(({ stop }) => stop()));
  };
}

/** Uses the embedded database, or a fresh one on the server of TEST_DATABASE_URL. */
async function startGivenBlog(): Promise<{ given: GivenBlog; stop: () => Promise<void> }> {
  const server = process.env["TEST_DATABASE_URL"];
  const database = server ? await createDatabase(server, "e2e") : null;
  // The tests write more with one account than the default limits allow.
  const env = {
    WRITE_LIMITS: "1000,10000,10000,10000",
    ...(database && { DATABASE_URL: database.url, DEMO: "on" }),
  };
  const blog = await startBlog({ env });
  const [, email = "", password = ""] = /Sign in as writer: (\S+) \/ (.+)/.exec(blog.output()) ?? [];
  const [, adminEmail = ""] = /Sign in as admin: (\S+)/.exec(blog.output()) ?? [];
  const outbox = join(blog.dataDir, "outbox");
  return {
    given: { dataDir: blog.dataDir, url: blog.url, email, password, adminEmail, outbox },
    stop: async () => {
      await blog.stop();
      await removeDataDir(blog.dataDir);
      await database?.drop();
    },
  };
}
