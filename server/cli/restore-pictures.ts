import { openFolder } from "../media/folder.ts";
import { idsIn, isFileName, JPEG, UPLOAD, type PictureFiles } from "../media/picture-files.ts";

type File = { id: string; name: string };

/**
 * Adds the pictures and files that the store lacks, and removes them again if that fails.
 * @returns to be called after the commit: replaces the files that differ, which belong to the rows before it
 */
export async function restorePictures(folder: string, files: PictureFiles): Promise<() => Promise<void>> {
  const backup = openFolder(folder);
  const added: (Pick<File, "id"> & Partial<File>)[] = [];
  const different: File[] = [];
  try {
    for (const id of await idsIn(backup)) {
      if (await files.has(id, JPEG)) {
        const { missing, damaged } = await compare(backup, files, id);
        different.push(...damaged);
        for (const name of missing) {
          added.push({ id, name });
          await files.add(id, name, await backup.read(id, name));
        }
      } else {
        added.push({ id });
        await files.remove(id);
        await files.restore(id, folder);
      }
    }
  } catch (error) {
    for (const { id, name } of added) await files.remove(id, name).catch(() => undefined);
    throw error;
  }
  return async () => {
    for (const { id, name } of different) await files.add(id, name, await backup.read(id, name));
  };
}

async function compare(backup: PictureFiles, files: PictureFiles, id: string) {
  const missing: string[] = [];
  const damaged: File[] = [];
  for (const name of (await backup.namesOf(id)).filter(isFileName)) {
    if (!(await files.has(id, name))) missing.push(name);
    else if (name !== UPLOAD && !(await backup.read(id, name)).equals(await files.read(id, name)))
      damaged.push({ id, name });
  }
  return { missing, damaged };
}
