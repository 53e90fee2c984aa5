import type { SearchQuery } from "../post-selection.ts";
import { plainText } from "../posts/excerpts.ts";
import { positiveTerms } from "./parse-query.ts";
import { isUnspaced } from "./words.ts";

export type TextPart = { text: string; isMatch: boolean };

const LENGTH = 220;
/** Characters before the first match of an excerpt. */
const LEAD = 60;
/** Characters of a text in which an excerpt looks for matches, and the matches that it compares. */
const [SEARCHED, COMPARED] = [20_000, 200];

/** Letters of all words of scripts without spaces: each is compared at each letter of a text. */
const UNSPACED_LETTERS = 40;

/** Where marks of Markdown were removed, longer runs come together than a text may have, and normalization is quadratic. */
const EXCESS_MARKS = /(\p{M}{8})\p{M}+/gu;

/** Letters that folding replaces, by the letter that it makes of them. */
const variants: Record<string, string> = {
  o: "[oø]",
  l: "[lł]",
  d: "[dđð]",
  i: "[iı]",
  h: "[hħ]",
  t: "[tŧ]",
};

const letterPattern = (letter: string) => `${variants[letter] ?? letter}\\p{M}*`;

/** Words hold no separators, so nothing in them means anything in a pattern. */
function wordPattern(word: string, isPrefix: boolean, unspacedLetters: number): string {
  const pattern = (isUnspaced(word) ? Array.from(word).slice(0, unspacedLetters).join("") : word)
    .toLowerCase()
    .normalize("NFD")
    .replace(/ss|ae|oe|./gu, (part) => {
      const single = { ss: "ß", ae: "æ", oe: "œ" }[part];
      const letters = Array.from(part, letterPattern).join("");
      return single ? `(?:${letters}|${single})` : /\p{M}/u.test(part) ? part : letters;
    });
  if (isUnspaced(word)) return pattern;
  return `(?<![\\p{L}\\p{N}])${pattern}${isPrefix ? "[\\p{L}\\p{N}\\p{M}]*" : "(?![\\p{L}\\p{N}])"}`;
}

/** Matches the words of a query in a text of the form NFD; null for a query of filters alone. */
export function patternOf(query: SearchQuery): RegExp | null {
  const terms = positiveTerms(query);
  const unspaced = terms.flatMap(({ words }) => words).filter(isUnspaced).length;
  const letters = Math.max(2, Math.floor(UNSPACED_LETTERS / unspaced));
  const words = terms.flatMap(({ words, isPrefix }) =>
    words.map((word) => wordPattern(word, isPrefix && word.length > 2, letters)),
  );
  return words.length > 0 ? new RegExp(words.join("|"), "giu") : null;
}

export function highlight(text: string, pattern: RegExp | null): TextPart[] {
  const parts: TextPart[] = [];
  const add = (part: string, isMatch: boolean) => {
    if (part) parts.push({ text: part.normalize("NFC"), isMatch });
  };
  const source = text.normalize("NFD");
  let end = 0;
  for (const { 0: match, index } of pattern ? source.matchAll(pattern) : []) {
    add(source.slice(end, index), false);
    add(match, true);
    end = index + match.length;
  }
  add(source.slice(end), false);
  return parts;
}

/** The part of a text with the most different words of a query, or else its beginning. */
export function highlightExcerpt(description: string, pattern: RegExp | null): TextPart[] {
  const plain = plainText(description.slice(0, SEARCHED)).replace(EXCESS_MARKS, "$1").normalize("NFD");
  const begin = bestStart(plain, pattern);
  const end = begin + LENGTH >= plain.length ? plain.length : wordEnd(plain, begin + LENGTH);
  const parts = highlight(plain.slice(begin, end).trim(), pattern);
  const ellipsis = { text: "…", isMatch: false };
  return [...(begin > 0 ? [ellipsis] : []), ...parts, ...(end < plain.length ? [ellipsis] : [])];
}

function bestStart(plain: string, pattern: RegExp | null): number {
  const matches: RegExpExecArray[] = [];
  for (const match of pattern ? plain.matchAll(pattern) : []) if (matches.push(match) === COMPARED) break;
  let best = { start: 0, count: 0 };
  for (const { index } of matches) {
    const near = matches.filter((each) => each.index >= index && each.index < index + LENGTH - LEAD);
    const count = new Set(near.map(([word]) => word.toLowerCase())).size;
    if (count > best.count) best = { start: index, count };
  }
  if (best.start <= LEAD) return 0;
  const blank = plain.indexOf(" ", best.start - LEAD);
  return blank >= 0 && blank < best.start ? blank + 1 : best.start;
}

function wordEnd(plain: string, limit: number): number {
  const blank = plain.lastIndexOf(" ", limit);
  // A text without blanks must not be cut within a surrogate pair.
  if (blank > limit - LENGTH / 2) return blank;
  return /[\udc00-\udfff]/.test(plain.charAt(limit)) ? limit - 1 : limit;
}
