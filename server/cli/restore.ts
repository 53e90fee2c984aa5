import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import { loadTables } from "../data/load.ts";
import { invocationFolder, commandName, type Env } from "../env.ts";
import { openFolder } from "../media/folder.ts";
import { idsIn, type PictureFiles } from "../media/picture-files.ts";
import type { Progress } from "../services.ts";
import { StartError } from "../start-error.ts";
import { unpackArchive } from "./archive.ts";
import { withDatabaseUrl } from "./with-database-url.ts";
import { withStores } from "./with-stores.ts";
import { withWorkFolder } from "./work-folder.ts";

/** `npm run blog -- restore FILE`, atomic. Verifies the file first, and copies the pictures before the rows. */
export async function restore(env: Env, args: string[], progress: Progress): Promise<string> {
  const [source, ...more] = args.filter((arg) => arg !== "--replace");
  if (!source || more.length > 0) throw new StartError(`Usage: ${commandName()} restore FILE [--replace]`);
  const file = resolve(invocationFolder(), source);
  await access(file).catch(() => {
    throw new StartError(`There is no file ${file}.`);
  });
  return withWorkFolder(env.DATA_DIR, async (folder) => {
    const { tables, migrations, createdAt } = await unpackArchive(file, folder);
    progress(`the backup of ${createdAt} is complete`);
    const pictures = join(folder, "pictures");
    const load = { tables, migrations, progress, replace: args.includes("--replace") };
    await withStores(env, async ({ files }) => {
      const beforeCommit = async () => {
        await restoreAll(pictures, files);
        progress("all pictures are restored");
      };
      await withDatabaseUrl(env, (databaseUrl) =>
        loadTables({ ...load, beforeCommit, databaseUrl, folder: join(folder, "tables") }),
      );
    });
    return "Restored. Everybody has to sign in again: a backup contains no sessions.";
  });
}

/** Atomic. If the rows are rolled back later, the worker removes the pictures. */
async function restoreAll(pictures: string, files: PictureFiles): Promise<void> {
  const restored: string[] = [];
  try {
    for (const id of await idsIn(openFolder(pictures)))
      if (await files.restore(id, pictures)) restored.push(id);
  } catch (error) {
    for (const id of restored) await files.remove(id);
    throw error;
  }
}
