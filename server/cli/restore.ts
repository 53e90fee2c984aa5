import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import { loadTables } from "../data/load.ts";
import { invocationFolder, commandName, type Env } from "../env.ts";
import type { Progress } from "../services.ts";
import { StartError } from "../start-error.ts";
import { unpackArchive } from "./archive.ts";
import { restorePictures } from "./restore-pictures.ts";
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
      let replaceDamaged = async () => {};
      const beforeCommit = async () => {
        replaceDamaged = await restorePictures(pictures, files);
        progress("all pictures are restored");
      };
      await withDatabaseUrl(env, (databaseUrl) =>
        loadTables({ ...load, beforeCommit, databaseUrl, folder: join(folder, "tables") }),
      );
      await replaceDamaged();
    });
    return "Restored. Everybody has to sign in again: a backup contains no sessions.";
  });
}
