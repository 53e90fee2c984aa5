import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { openDatabase, type Database } from "../data/client.ts";
import { afterFile } from "./cleanup.ts";
import { databaseOn, onServer } from "./database-server.ts";

/** Copies the migrated template. @param way maps its URL, to a proxy for instance */
export async function openTestDatabase(
  way = async (url: string) => url,
): Promise<Database & { url: string }> {
  const { adminUrl, template } = inject("postgres");
  const name = `blog_test_${randomBytes(6).toString("hex")}`;
  await onServer(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = databaseOn(adminUrl, name);
  const database = openDatabase(await way(url), { pool: 8 });
  afterFile(async () => {
    await database.close();
    await onServer(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  });
  return { ...database, url };
}
