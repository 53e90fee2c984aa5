import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { openEmbeddedPostgres } from "../data/embedded/embedded-postgres.ts";
import { migrateJobs } from "../jobs/worker.ts";
import { migrate } from "../data/migrations.ts";
import { createDatabase, query } from "./database-server.ts";
import type { Topology } from "./topology.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A server for test databases; `template` is migrated and empty, `folder` that of an embedded cluster. */
    postgres: { adminUrl: string; template: string; folder: string | null };
    /** Null without TOPOLOGY=full. */
    topology: Topology | null;
  }
}

/** Starts a temporary PostgreSQL, or uses TEST_DATABASE_URL. Each test file copies the migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), "blog-test-"));
  const given = process.env["TEST_DATABASE_URL"];
  const server = given ? { url: given, stop: async () => {} } : await openEmbeddedPostgres(dataDir, () => {});
  if (!given) await neverFlush(server.url);
  const template = await createDatabase(server.url, "template");
  await migrate(template.url);
  await migrateJobs(template.url);
  const folder = given ? null : join(dataDir, "postgres");
  project.provide("postgres", { adminUrl: server.url, template: template.name, folder });
  const isFull = process.env["TOPOLOGY"] === "full";
  if (isFull && !folder)
    throw new Error("TOPOLOGY=full needs the embedded PostgreSQL, not TEST_DATABASE_URL");
  const around = isFull && folder ? await startTopology({ url: server.url, folder }) : null;
  project.provide("topology", around?.topology ?? null);
  return async () => {
    await around?.stop();
    await template.drop();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** Only a crash of the machine would lose what is not flushed, and that ends the tests too. */
async function neverFlush(url: string): Promise<void> {
  await query(url, "ALTER SYSTEM SET fsync = off");
  await query(url, "SELECT pg_reload_conf()");
}

/** Loads the code that starts these programs only when they are asked for. */
async function startTopology(server: { url: string; folder: string }) {
  return (await import("./topology.ts")).startTopology(server);
}
