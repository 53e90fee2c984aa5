import { endDeletion, readDeletion } from "./deletion.ts";
import { dropDeletedPictures } from "./draft-pictures.ts";

/** Deletes pictures of other accounts' drafts, so that the next account cannot see them. */
export async function finishDeletion(): Promise<void> {
  const deletion = readDeletion();
  if (!deletion) return;
  await dropDeletedPictures();
  if (readDeletion() === deletion) endDeletion();
}
