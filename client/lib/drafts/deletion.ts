import { createStored } from "../local-storage-store.ts";
import { dropDraftsOfOthers } from "./drafts.ts";

/** A deletion of the drafts of all but `owner` (null: of all), with pictures stored until `at`, in milliseconds since 1970. */
type Deletion = { owner: string | null; at: number };

/** Until the pictures are deleted, since the page may be left before. In sessionStorage, because logout clears localStorage. */
const deletion = createStored(
  "drafts-deletion",
  (value) => value as Deletion,
  () => sessionStorage,
);

export function beginDeletion(owner: string | null): void {
  dropDraftsOfOthers(owner);
  const unfinished = deletion.read();
  deletion.write({ owner: unfinished && unfinished.owner !== owner ? null : owner, at: Date.now() });
}

export const readDeletion = deletion.read;
export const endDeletion = (): void => void deletion.write(null);

export function isDeleted({ owner, storedAt = 0 }: { owner: string; storedAt?: number }): boolean {
  const unfinished = deletion.read();
  return unfinished !== null && unfinished.owner !== owner && storedAt <= unfinished.at;
}
