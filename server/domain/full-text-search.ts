import { badInput } from "../errors.ts";
import type { FullTextSearch } from "./ports.ts";

/** Characters between words: the same as in the function "postWords" of the database. */
const MARKS = /[!-/:-@[-`{-~\u00a0-\u00bf\u2000-\u206f\u3000-\u303f]+/u;

/**
 * Every word of the search has to begin a word of the title or the text. Parts with marks, such as 100% or snake_case,
 * must also stand there exactly.
 * @throws BAD_USER_INPUT without a word: no index could answer, and every text would be scanned
 */
export function parseFullText(search: string): FullTextSearch {
  const parts = search.split(/\s+/);
  const words = parts.flatMap((part) => part.split(MARKS)).filter(Boolean);
  if (words.length === 0) throw badInput(NO_WORD, { search: NO_WORD });
  return { words, literals: parts.filter((part) => MARKS.test(part)) };
}

const NO_WORD = '"search" must contain a letter or a digit';
