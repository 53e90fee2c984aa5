import type { BrowserCopy } from "./browser-copies.ts";
import { contentOf, isSame, unsavedDraft, type Content, type SavedDraft } from "./content.ts";

export type ReconciledDraft = {
  /** The state that the next save replaces. */
  base: SavedDraft;
  content: Content;
  /** Another text of the same draft, between which and `content` the writer has to choose. */
  theirs?: SavedDraft;
  isGone?: boolean;
};

/**
 * Merges the server's draft and the browser's copy. Neither is lost: where both have changed, both are returned.
 * @param saved null when the server has none
 */
export function reconcile(saved: SavedDraft | null, copy: BrowserCopy | null): ReconciledDraft {
  const base = saved ?? unsavedDraft;
  if (!copy || isSame(copy, base)) return { base, content: contentOf(base) };
  const content = contentOf(copy);
  if (!saved && copy.version > 0) return { base, content, isGone: true };
  const isBasedOn = copy.version === base.version || (copy.sent && isSame(copy.sent, base));
  if (isBasedOn) return { base, content };
  return { base: { ...base, version: copy.version }, content, theirs: base };
}
