import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { MediaStore, Swept } from "../domain/ports.ts";
import { BlogError } from "../errors.ts";
import { AVIF_WIDTH } from "../limits.ts";
import type { EncodedPicture } from "./encode.ts";
import type { Encoder } from "./encoder.ts";

/** The file of a picture as it was uploaded, until a job has made all others. Files with a dot are not served. */
const UPLOAD = ".upload";

/** A sweep removes up to so many orphans even if fewer pictures have a row. */
const FEW = 20;

const HOUR = 60 * 60 * 1000;

/** A picture appears atomically, by one rename. @param baseUrl absolute URL that the folder is served from */
export async function openMediaFolder(
  folder: string,
  baseUrl: string,
  encoder: Omit<Encoder, "close">,
): Promise<MediaStore> {
  await mkdir(folder, { recursive: true });
  const homeOf = (id: string) => join(folder, id.slice(0, 2), id);
  const addCard = async (id: string, origin: string) => {
    const file = join(homeOf(id), "card.jpg");
    if (existsSync(file)) return;
    const picture = await readFile(join(homeOf(id), "picture.jpg"));
    await requireRoom(folder);
    await writeBeside(file, await encoder.encodeCard(picture, origin)).catch(diskIsFull);
  };
  const unfinishedCards = new Map<string, Promise<void>>();
  return {
    save: async (bytes, origin) => {
      await requireRoom(folder);
      const { files, ...picture } = await encoder.encodePicture(bytes, origin);
      const id = randomUUID();
      if (!picture.isComplete) files.push({ name: UPLOAD, bytes });
      await writeWhole(homeOf(id), files).catch(diskIsFull);
      return { id, ...picture };
    },
    complete: async (id, note) => {
      const upload = join(homeOf(id), UPLOAD);
      const { widths, files } = await readFile(upload)
        .then(encoder.encodeWide)
        .catch(async () => encoder.encodeWide(await readFile(join(homeOf(id), "picture.jpg"))));
      for (const { name, bytes } of files) await writeBeside(join(homeOf(id), name), bytes).catch(diskIsFull);
      await note(widths);
      await rm(upload, { force: true });
    },
    addAvif: async (id, widths) => {
      // A crash may have left it.
      await rm(join(homeOf(id), UPLOAD), { force: true });
      const largest = await readFile(join(homeOf(id), `${Math.max(...widths)}.webp`));
      for (const width of widths) {
        if (width > AVIF_WIDTH) continue;
        const file = join(homeOf(id), `${width}.avif`);
        await writeBeside(file, await encoder.encodeAvif(largest, width)).catch(diskIsFull);
      }
    },
    addCard(id, origin) {
      const unfinished = unfinishedCards.get(id);
      if (unfinished) return unfinished;
      const adding = addCard(id, origin).finally(() => unfinishedCards.delete(id));
      unfinishedCards.set(id, adding);
      return adding;
    },
    urlOf: (id, file) => `${baseUrl}/${id.slice(0, 2)}/${id}/${file}`,
    defaultPhotoUrl: new URL("/default-photo.png", baseUrl).href,
    remove: (id) => rm(homeOf(id), { recursive: true, force: true }),
    sweep: (areKnown) => sweepFolder(folder, areKnown),
  };
}

/** Reserves a twentieth of the disk, at most a gigabyte: the database may share it. @throws INSUFFICIENT_STORAGE */
async function requireRoom(folder: string): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder);
  if (bavail * bsize < Math.min(1e9, (blocks * bsize) / 20))
    diskIsFull(Object.assign(new Error("too little room is left"), { code: "ENOSPC" }));
}

async function writeWhole(home: string, files: EncodedPicture["files"]): Promise<void> {
  const unfinished = `${home}.part`;
  try {
    await mkdir(unfinished, { recursive: true });
    for (const { name, bytes } of files) await writeFile(join(unfinished, name), bytes);
    await rename(unfinished, home);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** Creates no folder: a missing one belonged to a deleted picture. */
async function writeBeside(file: string, bytes: Buffer): Promise<void> {
  const unfinished = `${file}.part`;
  try {
    await writeFile(unfinished, bytes);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

function diskIsFull(error: NodeJS.ErrnoException): never {
  if (error.code !== "ENOSPC" && error.code !== "EDQUOT") throw error;
  throw new BlogError(
    "INSUFFICIENT_STORAGE",
    "there is no room for pictures left, please tell the administrator",
    {
      cause: error,
    },
  );
}

async function sweepFolder(
  folder: string,
  areKnown: (ids: string[]) => Promise<Set<string>>,
): Promise<Swept> {
  const orphans: string[] = [];
  let owned = 0;
  for (const shard of await readdir(folder)) {
    const names = await readdir(join(folder, shard)).catch(() => []);
    const known = await areKnown(names.filter((name) => !name.endsWith(".part")));
    owned += known.size;
    for (const name of names.filter((each) => !known.has(each))) {
      const home = join(folder, shard, name);
      const found = await stat(home).catch(() => null);
      // A younger one may belong to an upload in progress.
      if (found && Date.now() - found.mtimeMs >= HOUR) orphans.push(home);
    }
  }
  if (orphans.length > owned && (owned === 0 || orphans.length > FEW))
    return { removed: 0, kept: orphans.length };
  for (const home of orphans) await rm(home, { recursive: true, force: true });
  return { removed: orphans.length, kept: 0 };
}
