import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { PictureFiles } from "./picture-files.ts";

/**
 * Database and store carry the same id, since all processes share the store. `unknown`: the database has none.
 * @param stores one or, while the pictures move, two
 */
export async function findOwner(
  client: pg.Client,
  stores: readonly PictureFiles[],
): Promise<"this" | "other" | "unknown"> {
  const { rows: tables } = await client.query<{ name: string | null }>(
    `SELECT to_regclass('"MediaFolder"')::text AS name`,
  );
  if (!tables[0]?.name) return "unknown";
  const { rows } = await client.query<{ id: string }>(`SELECT id FROM "MediaFolder"`);
  const mark = rows[0]?.id;
  if (!mark) return "unknown";
  for (const store of stores) if ((await store.readStoreId()) === mark) return "this";
  return "other";
}

/** Assigns a store to this database. @param client holds a lock against concurrent calls */
export async function adoptStore(client: pg.Client, store: PictureFiles): Promise<void> {
  const found = await store.readStoreId();
  const isId = found !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(found);
  const id = isId ? found : randomUUID();
  if (!isId) await store.writeStoreId(id);
  await client.query(`DELETE FROM "MediaFolder" WHERE id <> $1`, [id]);
  await client.query(`INSERT INTO "MediaFolder" (id) VALUES ($1) ON CONFLICT DO NOTHING`, [id]);
}
