import { access, mkdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { dumpTables, type Dump } from "../data/dump.ts";
import { invocationFolder, commandName, type Env } from "../env.ts";
import { forEachConcurrently } from "../media/for-each-concurrently.ts";
import { idsIn, type PictureFiles } from "../media/picture-files.ts";
import { withStores } from "./with-stores.ts";
import type { Progress } from "../services.ts";
import { StartError } from "../start-error.ts";
import { packArchive } from "./archive.ts";
import { throttleProgress } from "./throttle-progress.ts";
import { withDatabaseUrl } from "./with-database-url.ts";
import { withWorkFolder } from "./work-folder.ts";

/** Pictures may change during an attempt; one that is missing in every attempt was lost before. */
const ATTEMPTS = 3;

/** `npm run blog -- backup FILE`: a consistent snapshot of database and pictures while the blog runs. */
export async function backup(env: Env, [target]: string[], progress: Progress): Promise<string> {
  if (!target) throw new StartError(`Usage: ${commandName()} backup FILE`);
  const file = resolve(invocationFolder(), target);
  await requireBlog(env);
  return withWorkFolder(env.DATA_DIR, async (folder) => {
    const { dump, missing } = await withStores(env, ({ files }) =>
      takeSnapshot({ env, files, folder, progress }),
    );
    if (dump.migrations.length === 0) throw new StartError("There is no blog in this database.");
    const pictures = dump.pictureIds.length - missing;
    const { migrations, tables } = dump;
    const createdAt = new Date().toISOString();
    const manifest = { format: "blog backup 1" as const, createdAt, migrations, tables, pictures };
    await packArchive(folder, manifest, file, throttleProgress(progress, "packed", "files"));
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

const CONCURRENCY = 4;

type Source = { env: Env; files: PictureFiles; folder: string; progress: Progress };

type Snapshot = { dump: Dump; missing: number };

/**
 * Takes a snapshot of the tables with every picture they reference. Pictures are linked before the snapshot, so that
 * a later deletion loses none, and those added in between are linked as soon as it is taken.
 */
async function takeSnapshot(source: Source, attempt = 1): Promise<Snapshot> {
  const { env, files, folder, progress } = source;
  const [tables, pictures] = [join(folder, "tables"), join(folder, "pictures")];
  for (const each of [tables, pictures]) {
    await rm(each, { recursive: true, force: true });
    await mkdir(each);
  }
  const linked = new Set<string>();
  const linkPictures = (ids: string[]) =>
    forEachConcurrently(ids, CONCURRENCY, async (id) => {
      if (!linked.has(id) && (await files.copyInto(id, pictures))) linked.add(id);
    });
  await linkPictures(await idsIn(files));
  const dump = await withDatabaseUrl(env, (url) => dumpTables(url, tables, linkPictures, progress));
  const missing = dump.pictureIds.filter((id) => !linked.has(id)).length;
  if (missing > 0 && attempt < ATTEMPTS) {
    progress("pictures were deleted meanwhile: repeating");
    return takeSnapshot(source, attempt + 1);
  }
  const named = new Set(dump.pictureIds);
  for (const id of linked)
    if (!named.has(id)) await rm(join(pictures, id.slice(0, 2), id), { recursive: true, force: true });
  return { dump, missing };
}
