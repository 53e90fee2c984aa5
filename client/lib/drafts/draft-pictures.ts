import { del, entries, get, set } from "idb-keyval";

type Kept = { owner: string; file: File };

/** Where there is no database (private windows, full disks) a picture has to be chosen again. */
async function unlessRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}

export async function readDraftPicture(owner: string, form: string): Promise<File | undefined> {
  const kept = await unlessRefused(() => get<Kept>(form));
  return kept?.owner === owner ? kept.file : undefined;
}

export const writeDraftPicture = (owner: string, form: string, file: File) =>
  unlessRefused(() => set(form, { owner, file } satisfies Kept));

export const dropDraftPicture = (form: string) => unlessRefused(() => del(form));

export async function dropPicturesOfOthers(owner: string | null): Promise<void> {
  const kept = (await unlessRefused(() => entries<string, Kept>())) ?? [];
  for (const [form, picture] of kept) if (picture.owner !== owner) await dropDraftPicture(form);
}
