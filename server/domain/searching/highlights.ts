import type { SearchQuery } from "../post-selection.ts";
import { plainText } from "../posts/excerpts.ts";
import { positiveTerms } from "./parse-query.ts";
import { foldLetter, isUnspaced } from "./words.ts";

export type TextPart = { text: string; isMatch: boolean };

const LENGTH = 220;
/** Characters before the first match of an excerpt. */
const LEAD = 60;
/** Characters of a text in which an excerpt looks for matches, and the matches that it compares. */
const [SEARCHED, COMPARED] = [20_000, 200];

/** Letters of one word, and of all words of a query: each is compared at each letter of a text. */
const [WORD_LETTERS, ALL_LETTERS] = [40, 200];

/** Where marks of Markdown were removed, longer runs come together than a text may have, and normalization is quadratic. */
const EXCESS_MARKS = /(\p{M}{8})\p{M}+/gu;

/** `isWhole` matches no part of a word; `isPrefix` matches the rest of a word, too. */
export type MarkedWord = { folded: string; isWhole: boolean; isPrefix: boolean };
type Match = { start: number; end: number };

/** A text as it is searched; `from` has the position of each letter, and the length, in the source. */
type Folded = { source: string; text: string; from: Uint32Array };

const LONGEST_FOLDING = 3;

function fold(source: string): Folded {
  const from = new Uint32Array(source.length * LONGEST_FOLDING + 1);
  let [text, length, unchanged, size] = ["", 0, 0, 1];
  for (let at = 0; at < source.length; at += size) {
    const code = source.codePointAt(at) ?? 0;
    size = code > 0xffff ? 2 : 1;
    const folded = foldLetter(code);
    const end = length + (folded?.length ?? size);
    while (length < end) from[length++] = at;
    if (folded === null) continue;
    text += source.slice(unchanged, at) + folded;
    unchanged = at + size;
  }
  from[length] = source.length;
  return { source, text: text + source.slice(unchanged), from: from.subarray(0, length + 1) };
}

/** The words that a result is marked by; none for a query of filters alone. */
export function wordsToMark(query: SearchQuery): MarkedWord[] {
  let left = ALL_LETTERS;
  return positiveTerms(query).flatMap(({ words, isPrefix }) =>
    words.flatMap((word) => {
      const { text } = fold(word.normalize("NFD"));
      const folded = text.slice(0, Math.min(WORD_LETTERS, left));
      left -= folded.length;
      const isWhole = !isUnspaced(word);
      const isCut = folded.length < text.length;
      return folded
        ? [{ folded, isWhole, isPrefix: isWhole && (isCut || (isPrefix && word.length > 2)) }]
        : [];
    }),
  );
}

const isOfWord = ({ source, from }: Folded, index: number): boolean =>
  isWordLetter(source.codePointAt(from[index] ?? 0) ?? 0);

/** By code point: 1 for those of words, 2 for others, 0 until one is first compared. */
const kinds = new Uint8Array(0x11_0000);

function isWordLetter(code: number): boolean {
  kinds[code] ||= /[\p{L}\p{N}\p{M}]/u.test(String.fromCodePoint(code)) ? 1 : 2;
  return kinds[code] === 1;
}

/** Compares without regular expressions, whose time could grow exponentially with what people search for. */
function find(text: Folded, { folded, isWhole, isPrefix }: MarkedWord, after: number): Match | null {
  const { from } = text;
  // A letter of the source may be several here.
  const isBetween = (index: number) => from[index] !== from[index - 1];
  const length = from.length - 1;
  for (
    let start = text.text.indexOf(folded, after);
    start >= 0;
    start = text.text.indexOf(folded, start + 1)
  ) {
    if (isWhole && start > 0 && isOfWord(text, start - 1)) {
      // No other place of this word is a beginning.
      while (start < length && isOfWord(text, start)) start++;
      continue;
    }
    if (!isBetween(start)) continue;
    let end = start + folded.length;
    while (end < length && (isWhole ? isPrefix && isOfWord(text, end) : !isBetween(end))) end++;
    const endsWord = end === length || (isBetween(end) && !isOfWord(text, end));
    if (!isWhole || endsWord) return { start, end };
  }
  return null;
}

/** From the first to the last, the longest where several begin; positions of the source. */
function* matchesOf(source: string, words: MarkedWord[]): Generator<Match> {
  if (words.length === 0) return;
  const text = fold(source);
  const next = words.map((word) => find(text, word, 0));
  for (;;) {
    const [first] = next.filter((match) => match !== null).sort((a, b) => a.start - b.start || b.end - a.end);
    if (!first) return;
    yield { start: text.from[first.start] ?? 0, end: text.from[first.end] ?? 0 };
    for (const [index, word] of words.entries())
      if ((next[index]?.start ?? Infinity) < first.end) next[index] = find(text, word, first.end);
  }
}

export function highlight(text: string, words: MarkedWord[]): TextPart[] {
  const parts: TextPart[] = [];
  const add = (part: string, isMatch: boolean) => {
    if (part) parts.push({ text: part.normalize("NFC"), isMatch });
  };
  const source = text.normalize("NFD");
  let rest = 0;
  for (const { start, end } of matchesOf(source, words)) {
    add(source.slice(rest, start), false);
    add(source.slice(start, end), true);
    rest = end;
  }
  add(source.slice(rest), false);
  return parts;
}

/** The part of a text with the most different words of a query, or else its beginning. */
export function highlightExcerpt(description: string, words: MarkedWord[]): TextPart[] {
  const plain = plainText(description.slice(0, SEARCHED)).replace(EXCESS_MARKS, "$1").normalize("NFD");
  const begin = bestStart(plain, words);
  const end = begin + LENGTH >= plain.length ? plain.length : wordEnd(plain, begin + LENGTH);
  const parts = highlight(plain.slice(begin, end).trim(), words);
  const ellipsis = { text: "…", isMatch: false };
  return [...(begin > 0 ? [ellipsis] : []), ...parts, ...(end < plain.length ? [ellipsis] : [])];
}

function bestStart(plain: string, words: MarkedWord[]): number {
  const matches: Match[] = [];
  for (const match of matchesOf(plain, words)) if (matches.push(match) === COMPARED) break;
  let best = { start: 0, count: 0 };
  for (const { start } of matches) {
    const near = matches.filter((each) => each.start >= start && each.start < start + LENGTH - LEAD);
    const count = new Set(near.map((each) => plain.slice(each.start, each.end).toLowerCase())).size;
    if (count > best.count) best = { start, count };
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
