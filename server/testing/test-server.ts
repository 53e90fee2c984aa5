import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedPostgres } from "../data/embedded/embedded-postgres.ts";
import { migrate } from "../data/migrations.ts";
import { migrateJobs } from "../jobs/worker.ts";
import { createDatabase, query } from "./database-server.ts";

/** A PostgreSQL server for test databases; `template` is migrated and empty, `folder` that of an embedded cluster. */
export type TestServer = { adminUrl: string; template: string; folder: string | null };

/** Starts a temporary server, unless `given` is the URL of one. Call `stop` at the end. */
export async function startTestServer(given?: string): Promise<TestServer & { stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "blog-test-"));
  const server = given ? { url: given, stop: async () => {} } : await openEmbeddedPostgres(dataDir, () => {});
  if (!given) await neverFlush(server.url);
  const template = await createDatabase(server.url, "template");
  await migrate(template.url);
  await migrateJobs(template.url);
  return {
    ...{ adminUrl: server.url, template: template.name, folder: given ? null : join(dataDir, "postgres") },
    stop: async () => {
      await template.drop();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Only a crash of the machine would lose what is not flushed, and that ends the tests too. */
async function neverFlush(url: string): Promise<void> {
  await query(url, "ALTER SYSTEM SET fsync = off");
  await query(url, "SELECT pg_reload_conf()");
}
