import { randomUUID } from "node:crypto";
import type pg from "pg";
import { IDENTITY_SQL } from "./replicas/primary-positions.ts";

type Store = { readStoreId: () => Promise<string | null>; writeStoreId: (id: string) => Promise<void> };

/**
 * Database and store carry the same id. `unknown`: the database has none; `copy`: it is a copy of the one that has the store.
 * @param stores one or, while the pictures move, two
 */
export async function findOwner(
  client: pg.ClientBase,
  stores: readonly Store[],
): Promise<"this" | "other" | "copy" | "unknown"> {
  const { rows: tables } = await client.query<{ name: string | null }>(
    `SELECT to_regclass('"MediaFolder"')::text AS name`,
  );
  if (!tables[0]?.name) return "unknown";
  const { rows } = await client.query<{ id: string; database: string | null }>(`SELECT * FROM "MediaFolder"`);
  const [row] = rows;
  if (!row) return "unknown";
  const ids = await Promise.all(stores.map((store) => store.readStoreId()));
  if (!ids.includes(row.id)) return "other";
  const identity = await identityOf(client);
  return row.database !== null && identity !== null && row.database !== identity ? "copy" : "this";
}

/** Assigns a store, whose new id shows former owners that it is theirs no more. @param client holds a lock against concurrent calls */
export async function adoptStore(client: pg.ClientBase, store: Store): Promise<void> {
  const id = randomUUID();
  const identity = await identityOf(client);
  await store.writeStoreId(id);
  await client.query(`DELETE FROM "MediaFolder"`);
  await client.query(`INSERT INTO "MediaFolder" (id, database) VALUES ($1, $2)`, [id, identity]);
}

/** Records the identity for a store that an older release has assigned. */
export async function recordIdentity(client: pg.ClientBase): Promise<void> {
  const identity = await identityOf(client);
  await client.query(`UPDATE "MediaFolder" SET database = $1 WHERE database IS NULL`, [identity]);
}

async function identityOf(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client
    .query<{ identity: string }>(IDENTITY_SQL)
    .catch(() => ({ rows: [] as { identity: string }[] }));
  return rows[0]?.identity ?? null;
}
