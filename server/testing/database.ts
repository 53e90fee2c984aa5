import { inject } from "vitest";
import { openDatabase, type Database } from "../data/client.ts";
import type { ObserveStatement } from "../data/observed-client.ts";
import { afterFile } from "./cleanup.ts";
import { atServer, createDatabase } from "./database-server.ts";

const direct = async (url: string) => url;

/** Copies the migrated template. @param mapUrl changes its URL, to a proxy for instance */
export async function openTestDatabase(
  mapUrl = direct,
  observers: readonly ObserveStatement[] = [],
): Promise<Database & { url: string }> {
  const { adminUrl, template } = inject("postgres");
  const { url, drop } = await createDatabase(adminUrl, "test", template);
  const topology = inject("topology");
  const isPooled = topology !== null && mapUrl === direct;
  const address = isPooled ? atServer(topology.poolerUrl, url) : await mapUrl(url);
  const database = openDatabase(address, { pool: 8, observers, sharesBackends: isPooled });
  afterFile(async () => {
    await database.close();
    await drop();
  });
  return { ...database, url };
}
