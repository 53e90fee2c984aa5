import { inject } from "vitest";
import { openDatabase, type Database } from "../data/client.ts";
import { afterFile } from "./cleanup.ts";
import { createDatabase } from "./database-server.ts";

/** Copies the migrated template. @param way maps its URL, to a proxy for instance */
export async function openTestDatabase(
  way = async (url: string) => url,
): Promise<Database & { url: string }> {
  const { adminUrl, template } = inject("postgres");
  const { url, drop } = await createDatabase(adminUrl, "test", template);
  const database = openDatabase(await way(url), { pool: 8 });
  afterFile(async () => {
    await database.close();
    await drop();
  });
  return { ...database, url };
}
