import { createStored } from "../local-storage-store.ts";

type Deletion = { owner: string | null };

/** Until the drafts of all accounts but the owner are deleted: a page may be left before that. Logout clears localStorage. */
const deletion = createStored(
  "drafts-deletion",
  (value) => value as Deletion,
  () => sessionStorage,
);

export function beginDeletion(owner: string | null): void {
  const unfinished = deletion.read();
  deletion.write({ owner: unfinished && unfinished.owner !== owner ? null : owner });
}

export const readDeletion = deletion.read;
export const endDeletion = (): void => deletion.write(null);

export function willBeDeleted(owner: string): boolean {
  const unfinished = deletion.read();
  return unfinished !== null && unfinished.owner !== owner;
}
