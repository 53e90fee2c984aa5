import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { to as copyTo } from "pg-copy-streams";
import { readHistory } from "./migrations.ts";
import { withClient, type Client } from "./postgres-client.ts";
import { quote, readTables, rowsToDump, type Table } from "./tables.ts";

export type Dump = { migrations: string[]; tables: Table[]; pictureIds: string[] };

/**
 * Writes every table as NAME.csv into `folder`, from one consistent snapshot.
 * @param onSnapshot called with the ids of all pictures as soon as the snapshot is taken: later their files may be deleted
 * @returns the applied migrations, the dumped tables and the ids of all pictures
 */
export async function dumpTables(
  databaseUrl: string,
  folder: string,
  onSnapshot: (pictureIds: string[]) => Promise<void>,
  progress: (line: string) => void,
): Promise<Dump> {
  const config = { connectionString: databaseUrl, application_name: "blog backup" };
  return withClient(config, async (client) => {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const migrations = await readHistory(client);
    const pictureIds = migrations.length > 0 ? await readPictureIds(client) : [];
    await onSnapshot(pictureIds);
    const tables: Table[] = [];
    for (const { name, columns } of migrations.length > 0 ? await readTables(client) : []) {
      const rows = `SELECT ${quote(columns)} FROM ${quote([name])} ${rowsToDump(name)}`;
      const stream = client.query(copyTo(`COPY (${rows}) TO STDOUT (FORMAT csv, HEADER)`));
      await pipeline(stream, createWriteStream(join(folder, `${name}.csv`), { mode: 0o600 }));
      tables.push({ name, columns, rows: stream.rowCount });
      progress(`${name}: ${stream.rowCount} rows`);
    }
    return { migrations, tables, pictureIds };
  });
}

async function readPictureIds(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(`SELECT id FROM "Picture"`);
  return rows.map(({ id }) => id);
}
