import { access, mkdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { dumpTables, type Dump } from "../data/dump.ts";
import { callersFolder, commandName, type Env } from "../env.ts";
import { holdPicture, listPictures } from "../media/held-pictures.ts";
import type { Progress } from "../services.ts";
import { StartError } from "../start-error.ts";
import { packArchive } from "./archive.ts";
import { withDatabaseUrl } from "./with-database-url.ts";
import { withWorkFolder } from "./work-folder.ts";

/** Pictures may change during an attempt; one that is missing in every attempt was lost before. */
const ATTEMPTS = 3;

/** `npm run blog -- backup FILE`: a consistent snapshot of database and pictures while the blog runs. */
export async function backup(env: Env, [target]: string[], progress: Progress): Promise<string> {
  if (!target) throw new StartError(`Usage: ${commandName()} backup FILE`);
  const file = resolve(callersFolder(), target);
  await requireBlog(env);
  return withWorkFolder(env.DATA_DIR, async (folder) => {
    const { dump, missing } = await takeStill(env, folder, progress);
    if (dump.migrations.length === 0) throw new StartError("There is no blog in this database.");
    const pictures = dump.pictureIds.length - missing;
    const { migrations, tables } = dump;
    const createdAt = new Date().toISOString();
    const manifest = { format: "blog backup 1" as const, createdAt, migrations, tables, pictures };
    await packArchive(folder, manifest, file, everyFewSeconds(progress));
    const lost = missing ? ` ${missing} pictures have no files and are missing in it too.` : "";
    const megabytes = ((await stat(file)).size / 1_000_000).toFixed(1);
    return `Wrote ${file} (${megabytes} MB): ${tables.length} tables, ${pictures} pictures.${lost}`;
  });
}

/** A backup must not create a database. */
async function requireBlog(env: Env): Promise<void> {
  if (env.embedded)
    await access(join(env.DATA_DIR, "postgres")).catch(() => {
      throw new StartError(`There is no blog in ${env.DATA_DIR}.`);
    });
}

type Still = { dump: Dump; missing: number };

/**
 * Takes a snapshot of the tables with every picture they reference. Pictures are linked before the snapshot, so that
 * a later deletion loses none, and those added in between are linked as soon as it is taken.
 */
async function takeStill(env: Env, folder: string, progress: Progress, attempt = 1): Promise<Still> {
  const [tables, hold] = [join(folder, "tables"), join(folder, "pictures")];
  for (const each of [tables, hold]) {
    await rm(each, { recursive: true, force: true });
    await mkdir(each);
  }
  const store = join(env.DATA_DIR, "media");
  const held = new Set<string>();
  const holdAll = async (ids: string[]) => {
    for (const id of ids) if (!held.has(id) && (await holdPicture(store, hold, id))) held.add(id);
  };
  await holdAll(await listPictures(store));
  const dump = await withDatabaseUrl(env, (url) => dumpTables(url, tables, holdAll, progress));
  const missing = dump.pictureIds.filter((id) => !held.has(id)).length;
  if (missing > 0 && attempt < ATTEMPTS) {
    progress("pictures were deleted meanwhile: repeating");
    return takeStill(env, folder, progress, attempt + 1);
  }
  const named = new Set(dump.pictureIds);
  for (const id of held)
    if (!named.has(id)) await rm(join(hold, id.slice(0, 2), id), { recursive: true, force: true });
  return { dump, missing };
}

/** Reports progress every two seconds. */
function everyFewSeconds(progress: Progress) {
  let last = Date.now();
  return (done: number, all: number) => {
    if (Date.now() - last < 2_000) return;
    last = Date.now();
    progress(`packed ${done} of ${all} files`);
  };
}
