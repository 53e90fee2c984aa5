import { copyFile, link, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

// Whole pictures, moved in and out of a store for backups: `ab/abcdef…/480.webp`, as the store lays them.

const PICTURE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** What the encoder makes: nothing else is served from a store. */
const FILE = /^(\d{1,5}\.(webp|avif)|picture\.jpg)$/;
const placeOf = (id: string) => join(id.slice(0, 2), id);

/** The ids of the pictures in a store, or in a copy of one. */
export async function listPictures(folder: string): Promise<string[]> {
  const ids: string[] = [];
  for (const shard of await readdir(folder).catch(() => []))
    for (const name of await readdir(join(folder, shard)).catch(() => []))
      if (PICTURE.test(name)) ids.push(name);
  return ids;
}

/**
 * Gives the files of a picture a second name in `hold`, which stays when the first one goes: that takes
 * neither time nor room. On another disk it is a copy.
 * @returns false when there is no such picture, or it is going just now
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

/** Puts a held picture into a store, in the place of what has its name there. @returns whether it is new there */
export async function placePicture(hold: string, store: string, id: string): Promise<boolean> {
  const [from, to] = [join(hold, placeOf(id)), join(store, placeOf(id))];
  await mkdir(join(store, id.slice(0, 2)), { recursive: true });
  for (const name of await readdir(from))
    if (!FILE.test(name)) await rm(join(from, name), { recursive: true, force: true });
  const known = await rename(to, `${to}.part`).then(
    () => true,
    () => false,
  );
  await rename(from, to).catch(() => copyWhole(from, to));
  await rm(`${to}.part`, { recursive: true, force: true });
  return !known;
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") throw error;
    await copyFile(from, to);
  });
}

/** For a store on another disk than the copy: complete under another name first. */
async function copyWhole(from: string, to: string): Promise<void> {
  const unfinished = `${to}.new.part`;
  await mkdir(unfinished, { recursive: true });
  for (const name of await readdir(from)) await copyFile(join(from, name), join(unfinished, name));
  await rename(unfinished, to);
}
