import { del, entries, get, set } from "idb-keyval";
import { willBeDeleted } from "./deletion.ts";

type StoredPicture = { owner: string; file: File };

/** Ignores storage errors (private windows, full disks): the picture then has to be chosen again. */
async function ignoreStorageErrors<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}

export async function readDraftPicture(owner: string, form: string): Promise<File | undefined> {
  if (willBeDeleted(owner)) return undefined;
  const stored = await ignoreStorageErrors(() => get<StoredPicture>(form));
  return stored?.owner === owner ? stored.file : undefined;
}

export const writeDraftPicture = (owner: string, form: string, file: File) =>
  ignoreStorageErrors(() => set(form, { owner, file } satisfies StoredPicture));

export const dropDraftPicture = (form: string) => ignoreStorageErrors(() => del(form));

export async function dropPicturesOfOthers(owner: string | null): Promise<void> {
  const stored = (await ignoreStorageErrors(() => entries<string, StoredPicture>())) ?? [];
  for (const [form, picture] of stored) if (picture.owner !== owner) await dropDraftPicture(form);
}
