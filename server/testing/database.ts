import { inject } from "vitest";
import { openDatabase, type Database } from "../data/client.ts";
import type { ObserveStatement } from "../data/observed-client.ts";
import { afterFile } from "./cleanup.ts";
import { atServer, createDatabase } from "./database-server.ts";
import type { TestServer } from "./test-server.ts";

/** For `TOPOLOGY=full`: the same database behind PgBouncer. @returns null without it, or for another server */
export function poolerOf(url: string): string | null {
  const topology = inject("topology");
  const isBehind = new URL(url).host === new URL(inject("postgres").adminUrl).host;
  return topology && isBehind ? atServer(topology.poolerUrl, url) : null;
}

const direct = async (url: string) => url;

/** Copies the migrated template. @param mapUrl changes its URL, to a proxy for instance */
export async function openTestDatabase(
  mapUrl = direct,
  observers: readonly ObserveStatement[] = [],
  { adminUrl, template }: TestServer = inject("postgres"),
): Promise<Database & { url: string }> {
  const { url, drop } = await createDatabase(adminUrl, "test", template);
  const pooler = mapUrl === direct ? poolerOf(url) : null;
  const database = openDatabase(pooler ?? (await mapUrl(url)), {
    ...{ pool: 8, observers, poolMode: pooler ? "transaction" : null },
  });
  afterFile(async () => {
    await database.close();
    await drop();
  });
  return { ...database, url };
}
