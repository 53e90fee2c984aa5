import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { openDatabase, type Database } from "../data/client.ts";
import { afterFile } from "./cleanup.ts";

/** A database of its own for the test file that calls, copied from the migrated template. */
export async function openTestDatabase(): Promise<Database & { url: string }> {
  const { adminUrl, template } = inject("postgres");
  const name = `blog_test_${randomBytes(6).toString("hex")}`;
  await onServer(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const database = openDatabase(url.href, 8);
  afterFile(async () => {
    await database.close();
    await onServer(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  });
  return { ...database, url: url.href };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
