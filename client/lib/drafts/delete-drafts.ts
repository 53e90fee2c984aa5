import { dropPicturesOfOthers } from "./draft-pictures.ts";
import { dropDraftsOfOthers } from "./drafts.ts";

/** Deletes drafts of other accounts, so that the next account cannot read them; null deletes all drafts. */
export async function deleteDraftsOfOthers(owner: string | null): Promise<void> {
  dropDraftsOfOthers(owner);
  await dropPicturesOfOthers(owner);
}
