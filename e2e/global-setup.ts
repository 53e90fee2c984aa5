import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { databaseOn, onServer } from "../server/testing/given-server.ts";
import { removeDataDir, startBlog } from "./testing/blog.ts";

declare module "vitest" {
  export interface ProvidedContext {
    blog: { url: string; email: string; password: string; adminEmail: string; outbox: string };
  }
}

/** Uses the embedded database, or a fresh one on the server of TEST_DATABASE_URL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const database = await openGivenDatabase(process.env["TEST_DATABASE_URL"]);
  // The tests write more with one account than the default limits allow.
  const env = {
    WRITE_LIMITS: "1000,10000,10000",
    ...(database && { DATABASE_URL: database.url, DEMO: "on" }),
  };
  const blog = await startBlog({ env });
  const [, email = "", password = ""] = /Sign in as writer: (\S+) \/ (.+)/.exec(blog.output()) ?? [];
  const [, adminEmail = ""] = /Sign in as admin: (\S+)/.exec(blog.output()) ?? [];
  const outbox = join(blog.dataDir, "outbox");
  project.provide("blog", { url: blog.url, email, password, adminEmail, outbox });
  return async () => {
    await blog.stop();
    await removeDataDir(blog.dataDir);
    await database?.drop();
  };
}

async function openGivenDatabase(serverUrl: string | undefined) {
  if (!serverUrl) return null;
  const name = `blog_e2e_${process.pid}`;
  await onServer(serverUrl, `CREATE DATABASE ${name}`);
  return {
    url: databaseOn(serverUrl, name),
    drop: () => onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}
