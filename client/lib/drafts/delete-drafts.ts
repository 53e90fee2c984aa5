import { endDeletion, readDeletion } from "./deletion.ts";
import { dropPicturesOfOthers } from "./draft-pictures.ts";
import { dropDraftsOfOthers } from "./drafts.ts";

/** Deletes drafts of other accounts, so that the next account cannot read them; an owner of null deletes all drafts. */
export async function finishDeletion(): Promise<void> {
  const deletion = readDeletion();
  if (!deletion) return;
  dropDraftsOfOthers(deletion.owner);
  await dropPicturesOfOthers(deletion.owner);
  if (readDeletion() === deletion) endDeletion();
}
