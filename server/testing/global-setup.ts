import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openEmbeddedPostgres } from "../data/embedded/embedded-postgres.ts";
import { migrateJobs } from "../jobs/worker.ts";
import { migrate } from "../data/migrations.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A server on which tests may make databases; `template` is migrated and empty. */
    postgres: { adminUrl: string; template: string };
  }
}

/**
 * A real PostgreSQL for the whole run: one of our own, thrown away afterwards, or the one that
 * TEST_DATABASE_URL names. Each test file copies the migrated template.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), "blog-test-"));
  const given = process.env["TEST_DATABASE_URL"];
  const server = given ? { url: given, stop: async () => {} } : await openEmbeddedPostgres(dataDir, () => {});
  const template = `blog_template_${process.pid}`;
  await onServer(server.url, `CREATE DATABASE ${template}`);
  const url = new URL(server.url);
  url.pathname = `/${template}`;
  await migrate(url.href);
  await migrateJobs(url.href);
  project.provide("postgres", { adminUrl: server.url, template });
  return async () => {
    await onServer(server.url, `DROP DATABASE ${template} WITH (FORCE)`);
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
