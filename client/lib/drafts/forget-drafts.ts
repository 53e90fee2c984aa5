import { dropPicturesOfOthers } from "./draft-pictures.ts";
import { dropDraftsOfOthers } from "./drafts.ts";

/** Drafts are their writer's own: the next account in this browser finds none of them; null is for nobody. */
export async function forgetDraftsOfOthers(owner: string | null): Promise<void> {
  dropDraftsOfOthers(owner);
  await dropPicturesOfOthers(owner);
}
