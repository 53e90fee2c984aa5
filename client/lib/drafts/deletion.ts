import { createStored } from "../local-storage-store.ts";

/** Stored until the drafts of all accounts but the owner are deleted, since a tab may be closed before that. */
const deletion = createStored<{ owner: string | null }>("drafts-deletion");

export function beginDeletion(owner: string | null): void {
  const unfinished = deletion.read();
  deletion.write({ owner: unfinished && unfinished.owner !== owner ? null : owner });
}

export const readDeletion = deletion.read;
export const endDeletion = (): void => deletion.write(null);
export const isDeleting = (): boolean => deletion.read() !== null;

export function willBeDeleted(owner: string): boolean {
  const unfinished = deletion.read();
  return unfinished !== null && unfinished.owner !== owner;
}
