import { del, entries, get, set } from "idb-keyval";
import { isDeleted } from "./deletion.ts";

/** `storedAt` in milliseconds since 1970; older versions have stored none. */
type StoredPicture = { owner: string; file: File; storedAt?: number };

/** Ignores storage errors (private windows, full disks): the picture then has to be chosen again. */
async function ignoreStorageErrors<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}

export async function readDraftPicture(owner: string, form: string): Promise<File | undefined> {
  const stored = await ignoreStorageErrors(() => get<StoredPicture>(form));
  return stored?.owner === owner && !isDeleted(stored) ? stored.file : undefined;
}

export const writeDraftPicture = (owner: string, form: string, file: File) =>
  ignoreStorageErrors(() => set(form, { owner, file, storedAt: Date.now() } satisfies StoredPicture));

export const dropDraftPicture = (form: string) => ignoreStorageErrors(() => del(form));

export async function dropDeletedPictures(): Promise<void> {
  const stored = (await ignoreStorageErrors(() => entries<string, StoredPicture>())) ?? [];
  for (const [form, picture] of stored) if (isDeleted(picture)) await dropDraftPicture(form);
}
