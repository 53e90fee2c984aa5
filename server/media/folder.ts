import { dirname, join } from "node:path";
import { requireDiskSpace } from "../disk-space.ts";
import { storageFull, StoreUnavailable } from "../errors.ts";
import {
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  syncToDisk,
  writeFile,
} from "../disk.ts";
import type { EncodedFile } from "./encode.ts";
import { openReader } from "./folder-reading.ts";
import { createOutageWarnings, type Warn } from "./outage-warnings.ts";
import {
  isFileName,
  isMissingFile,
  nullIfMissing,
  STORE_ID_FILE,
  type PictureFiles,
} from "./picture-files.ts";

const relativePath = (id: string) => join(id.slice(0, 2), id);

/** A picture appears atomically, by one rename, and survives a failure of the machine. Creates the folder with the first. */
export function openFolder(folder: string, warn: Warn = () => undefined): PictureFiles {
  const watch = createOutageWarnings(warn);
  const refuse = (error: unknown): never => {
    throw watch(toStoreError(error));
  };
  const homeOf = (id: string) => join(folder, relativePath(id));
  const fileOf = (id: string, name: string) => join(homeOf(id), name);
  return {
    kind: "folder",
    name: folder,
    requireDiskSpace: () => requireDiskSpace(folder, "pictures", { readDisk: statfs }),
    create: (id, files) => writeWhole(homeOf(id), files).catch(refuse),
    add: (id, name, bytes) => writeBeside(fileOf(id, name), bytes).catch(refuse),
    has: async (id, name) => (await stat(fileOf(id, name)).catch(nullIfMissing)) !== null,
    read: (id, name) => readFile(fileOf(id, name)),
    open: openReader(fileOf),
    namesOf: (id) => readdir(homeOf(id)).catch(noneIfMissing),
    remove: (id, name) => rm(name ? fileOf(id, name) : homeOf(id)),
    async *list() {
      for (const shard of await readdir(folder).catch(noneIfMissing))
        yield await readdir(join(folder, shard)).catch(() => []);
    },
    modifiedAt: async (name) => (await stat(homeOf(name)).catch(nullIfMissing))?.mtimeMs ?? null,
    copyInto: (id, target) => linkPicture(homeOf(id), join(target, relativePath(id))),
    restore: (id, source) => restorePicture(join(source, relativePath(id)), homeOf(id)),
    readStoreId: async () =>
      (await readFile(join(folder, STORE_ID_FILE)).catch(nullIfMissing))?.toString().trim() ?? null,
    writeStoreId: async (mark) => {
      await mkdir(folder);
      await writeFile(join(folder, STORE_ID_FILE), `${mark}\n`);
      await syncToDisk(folder);
    },
  };
}

const noneIfMissing = (error: unknown): string[] => nullIfMissing(error) ?? [];

const FULL = ["ENOSPC", "EDQUOT"];
const UNWRITABLE = ["EROFS", "EACCES", "EPERM"];

function toStoreError(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (FULL.includes(code)) return storageFull(error);
  return UNWRITABLE.includes(code) ? new StoreUnavailable(error) : error;
}

async function writeWhole(home: string, files: EncodedFile[]): Promise<void> {
  const unfinished = `${home}.part`;
  try {
    const created = (await mkdir(unfinished)) ?? unfinished;
    for (const { name, bytes } of files) await writeFile(join(unfinished, name), bytes);
    await syncToDisk(unfinished);
    await rename(unfinished, home);
    let path = home;
    do await syncToDisk((path = dirname(path)));
    while (path.length >= created.length);
  } catch (error) {
    await rm(unfinished);
    throw error;
  }
}

/** Creates no folder: a missing one belonged to a deleted picture. */
async function writeBeside(file: string, bytes: Buffer): Promise<void> {
  const unfinished = `${file}.part`;
  try {
    await writeFile(unfinished, bytes);
    await rename(unfinished, file);
    await syncToDisk(dirname(file));
  } catch (error) {
    await rm(unfinished);
    throw error;
  }
}

/** Hard-links the files. Copies them to another disk. */
async function linkPicture(from: string, to: string): Promise<boolean> {
  try {
    const names = await readdir(from);
    await mkdir(to);
    for (const name of names) await linkOrCopy(join(from, name), join(to, name));
    return names.length > 0;
  } catch (error) {
    if (!isMissingFile(error)) throw error;
    await rm(to);
    return false;
  }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") throw error;
    await copyFile(from, to);
  });
}

async function restorePicture(from: string, to: string): Promise<void> {
  await mkdir(dirname(to));
  for (const name of await readdir(from))
    if (isFileName(name)) await syncToDisk(join(from, name));
    else await rm(join(from, name));
  await rename(from, to).catch(() => copyWhole(from, to));
  for (const path of [to, dirname(to), dirname(dirname(to))]) await syncToDisk(path);
}

/** For a store on another disk: copies to a temporary name first. */
async function copyWhole(from: string, to: string): Promise<void> {
  const unfinished = `${to}.new.part`;
  await mkdir(unfinished);
  for (const name of await readdir(from)) {
    await copyFile(join(from, name), join(unfinished, name));
    await syncToDisk(join(unfinished, name));
  }
  await rename(unfinished, to);
}
