import { randomUUID } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";

const FILE = ".folder-id";

const readId = async (folder: string) =>
  readFile(join(folder, FILE), "utf8").then(
    (text) => text.trim(),
    () => null,
  );

async function writeId(folder: string, id: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, FILE), `${id}\n`);
  return id;
}

/** Folder and database carry the same id, since all processes share the folder. `unknown`: the database has none. */
export async function findOwner(client: pg.Client, folder: string): Promise<"this" | "other" | "unknown"> {
  const { rows: tables } = await client.query<{ name: string | null }>(
    `SELECT to_regclass('"MediaFolder"')::text AS name`,
  );
  if (!tables[0]?.name) return "unknown";
  const { rows } = await client.query<{ id: string }>(`SELECT id FROM "MediaFolder"`);
  if (!rows[0]) return "unknown";
  return rows[0].id === (await readId(folder)) ? "this" : "other";
}

/** Assigns a folder to this database. @param client holds a lock against concurrent calls */
export async function adoptFolder(client: pg.Client, folder: string): Promise<void> {
  const found = await readId(folder);
  const isId = found !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(found);
  const id = isId ? found : await writeId(folder, randomUUID());
  await client.query(`DELETE FROM "MediaFolder" WHERE id <> $1`, [id]);
  await client.query(`INSERT INTO "MediaFolder" (id) VALUES ($1) ON CONFLICT DO NOTHING`, [id]);
}
