import { inject } from "vitest";
import { openDatabase, type Database } from "../data/client.ts";
import type { ObserveStatement } from "../data/observed-client.ts";
import { afterFile } from "./cleanup.ts";
import { createDatabase } from "./database-server.ts";

/** Copies the migrated template. @param way maps its URL, to a proxy for instance */
export async function openTestDatabase(
  way = async (url: string) => url,
  observers: readonly ObserveStatement[] = [],
): Promise<Database & { url: string }> {
  const { adminUrl, template } = inject("postgres");
  const { url, drop } = await createDatabase(adminUrl, "test", template);
  const database = openDatabase(await way(url), { pool: 8, observers });
  afterFile(async () => {
    await database.close();
    await drop();
  });
  return { ...database, url };
}
