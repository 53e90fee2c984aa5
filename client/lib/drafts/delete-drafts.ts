import { endDeletion, readDeletion } from "./deletion.ts";
import { dropDeletedPictures } from "./draft-pictures.ts";

/** GraphiQL keeps open tabs and sent operations, in which the account's texts and links may be. */
function deleteExplorerOperations(): void {
  const own = Object.keys(localStorage).filter((key) => key.startsWith("graphiql:"));
  for (const key of own) localStorage.removeItem(key);
}

/** Deletes pictures of other accounts' drafts, and after a logout the explorer's operations: the next account must see none. */
export async function finishDeletion(): Promise<void> {
  const deletion = readDeletion();
  if (!deletion) return;
  if (deletion.owner === null) deleteExplorerOperations();
  await dropDeletedPictures();
  if (readDeletion() === deletion) endDeletion();
}
