import { isMissingFile, JPEG, type PictureFiles } from "./picture-files.ts";

/** Both stores while the pictures move: new ones go to `target`, and what it lacks is read from `source`. */
export function openBothStores(target: PictureFiles, source: PictureFiles): PictureFiles {
  const isMoved = (id: string) => target.has(id, JPEG);
  return {
    ...target,
    // The target gets one when all pictures have moved.
    readStoreId: async () => (await target.readStoreId()) ?? source.readStoreId(),
    add: async (id, name, bytes) => {
      if (await isMoved(id)) return target.add(id, name, bytes);
      await source.add(id, name, bytes);
      // `movePictures` looks for new files after it has moved a picture, so one of both notices this file.
      if (await isMoved(id)) await target.add(id, name, bytes);
    },
    has: async (id, name) => (await target.has(id, name)) || source.has(id, name),
    read: (id, name) =>
      target.read(id, name).catch((error: unknown) => {
        if (!isMissingFile(error)) throw error;
        return source.read(id, name);
      }),
    open: async (request) => (await target.open(request)) ?? source.open(request),
    namesOf: async (id) => [...new Set([...(await target.namesOf(id)), ...(await source.namesOf(id))])],
    remove: async (id, name) => {
      await source.remove(id, name);
      await target.remove(id, name);
    },
    async *list() {
      yield* target.list();
      yield* source.list();
    },
    modifiedAt: async (name) => (await target.modifiedAt(name)) ?? source.modifiedAt(name),
    copyInto: async (id, folder) => (await target.copyInto(id, folder)) || source.copyInto(id, folder),
  };
}
