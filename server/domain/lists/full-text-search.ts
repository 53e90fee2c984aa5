import { badField } from "../../errors.ts";
import type { FullTextSearch } from "../post-selection.ts";

/** Word separators. Keep in sync with the database function "postWords". */
const MARKS = /[!-/:-@[-`{-~\u00a0-\u00bf\u2000-\u206f\u3000-\u303f]+/u;

/**
 * Each search word must be a prefix of a word of the post. Parts with separators, such as 100% or snake_case, must
 * also occur literally.
 * @throws BAD_USER_INPUT without a word: the query could not use the index and would scan every text
 */
export function parseFullText(search: string): FullTextSearch {
  const parts = search.split(/\s+/);
  const words = parts.flatMap((part) => part.split(MARKS)).filter(Boolean);
  if (words.length === 0) throw badField("search", NO_WORD);
  return { words, literals: parts.filter((part) => MARKS.test(part)) };
}

const NO_WORD = '"search" must contain a letter or a digit';
