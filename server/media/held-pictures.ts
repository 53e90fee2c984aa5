import { copyFile, link, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

// Copies pictures from and to a store for backups, in the store's layout: `ab/abcdef…/480.webp`.

const PICTURE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** File names of the encoder, the only ones allowed in a store. */
const FILE = /^(\d{1,5}\.(webp|avif)|picture\.jpg|card\.jpg|\.upload)$/;
const placeOf = (id: string) => join(id.slice(0, 2), id);

/** @returns the ids of all pictures in a store or a copy of one */
export async function listPictures(folder: string): Promise<string[]> {
  const ids: string[] = [];
  for (const shard of await readdir(folder).catch(() => []))
    for (const name of await readdir(join(folder, shard)).catch(() => []))
      if (PICTURE.test(name)) ids.push(name);
  return ids;
}

/**
 * Hard-links the files of a picture into `hold`, where they survive its deletion. Copies them to another disk.
 * @returns false if the picture does not exist or is being deleted
 */
export async function holdPicture(store: string, hold: string, id: string): Promise<boolean> {
  const [from, to] = [join(store, placeOf(id)), join(hold, placeOf(id))];
  try {
    const names = await readdir(from);
    await mkdir(to, { recursive: true });
    for (const name of names) await linkOrCopy(join(from, name), join(to, name));
    return names.length > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    await rm(to, { recursive: true, force: true });
    return false;
  }
}

/** Moves a held picture into a store and replaces a picture with the same id. @returns whether there was none */
export async function placePicture(hold: string, store: string, id: string): Promise<boolean> {
  const [from, to] = [join(hold, placeOf(id)), join(store, placeOf(id))];
  await mkdir(join(store, id.slice(0, 2)), { recursive: true });
  for (const name of await readdir(from))
    if (!FILE.test(name)) await rm(join(from, name), { recursive: true, force: true });
  const existed = await rename(to, `${to}.part`).then(
    () => true,
    () => false,
  );
  await rename(from, to).catch(() => copyWhole(from, to));
  await rm(`${to}.part`, { recursive: true, force: true });
  return !existed;
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") throw error;
    await copyFile(from, to);
  });
}

/** For a store on another disk: copies to a temporary name first. */
async function copyWhole(from: string, to: string): Promise<void> {
  const unfinished = `${to}.new.part`;
  await mkdir(unfinished, { recursive: true });
  for (const name of await readdir(from)) await copyFile(join(from, name), join(unfinished, name));
  await rename(unfinished, to);
}
