import { access, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { loadTables } from "../data/load.ts";
import { callersFolder, commandName, type Env } from "../env.ts";
import { listPictures, placePicture } from "../media/held-pictures.ts";
import type { Progress } from "../services.ts";
import { StartError } from "../start-error.ts";
import { unpackArchive } from "./archive.ts";
import { withDatabaseUrl } from "./with-database-url.ts";
import { withWorkFolder } from "./work-folder.ts";

/** `npm run blog -- restore FILE`, atomic. Verifies the file first, and copies the pictures before the rows. */
export async function restore(env: Env, args: string[], progress: Progress): Promise<string> {
  const [source, ...more] = args.filter((arg) => arg !== "--replace");
  if (!source || more.length > 0) throw new StartError(`Usage: ${commandName()} restore FILE [--replace]`);
  const file = resolve(callersFolder(), source);
  await access(file).catch(() => {
    throw new StartError(`There is no file ${file}.`);
  });
  return withWorkFolder(env.DATA_DIR, async (folder) => {
    const { tables, migrations, createdAt } = await unpackArchive(file, folder);
    progress(`the backup of ${createdAt} is complete`);
    const store = join(env.DATA_DIR, "media");
    const hold = join(folder, "pictures");
    const beforeCommit = async () => {
      await placeAll(hold, store);
      progress("all pictures are restored");
    };
    const load = { tables, migrations, beforeCommit, progress, replace: args.includes("--replace") };
    await withDatabaseUrl(env, (databaseUrl) =>
      loadTables({ ...load, databaseUrl, folder: join(folder, "tables") }),
    );
    return "Restored. Everybody has to sign in again: a backup contains no sessions.";
  });
}

/** Atomic. If the rows are rolled back later, the worker removes the pictures. */
async function placeAll(hold: string, store: string): Promise<void> {
  const placed: string[] = [];
  try {
    for (const id of await listPictures(hold)) if (await placePicture(hold, store, id)) placed.push(id);
  } catch (error) {
    for (const id of placed) await rm(join(store, id.slice(0, 2), id), { recursive: true, force: true });
    throw error;
  }
}
