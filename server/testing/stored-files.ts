import { idsIn, JPEG, type PictureFiles } from "../media/picture-files.ts";

/** The files of a store: `ID/480.webp`, and the names of what interrupted writes have left. */
export async function storedFiles(files: PictureFiles): Promise<string[]> {
  const found: string[] = [];
  for await (const names of files.list())
    for (const name of names) {
      const inside = await files.namesOf(name);
      found.push(...(inside.length > 0 ? inside.map((file) => `${name}/${file}`) : [name]));
    }
  return found.sort();
}

/** Leaves only these pictures, each with a file. */
export async function replacePictures(files: PictureFiles, ids: readonly string[]): Promise<void> {
  const present = await idsIn(files);
  await Promise.all(present.map((id) => files.remove(id)));
  await Promise.all(ids.map((id) => files.create(id, [{ name: JPEG, bytes: Buffer.from("a picture") }])));
}
