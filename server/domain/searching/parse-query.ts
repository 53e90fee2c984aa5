import type { SearchQuery, SearchTerm } from "../post-selection.ts";
import { z } from "zod";
import { badField } from "../../errors.ts";
import { LENGTHS, SEARCH } from "../../limits.ts";
import { parseInput, text } from "../input.ts";
import { tagKey } from "../posts/tag-names.ts";
import { isUnspaced, wordsOf } from "./words.ts";

const searchInput = z.object({ query: text(...LENGTHS.query) });

/** `-` before it excludes; quotes hold words together; a known name before a colon filters. */
const PARTS = /(-?)(?:(author|category|tag):)?(?:"([^"]*)"?|(\S+))/giu;

const NO_WORD = '"query" must contain a letter or a digit';
const TOO_MANY_FILTERS = `"query" must have at most ${SEARCH.filters} filters of one kind`;
const TOO_MANY = `"query" must have at most ${SEARCH.words} words`;

/**
 * Parses a search query: words (each the beginning of a word), "a phrase", -excluded, author:, category:, tag:.
 * Nothing is a syntax error.
 * @throws BAD_USER_INPUT if it is too long, has too many words, or none to look for
 */
export function parseQuery(given: string): SearchQuery {
  const { query } = parseInput(searchInput, { query: given });
  const parsed: SearchQuery = { terms: [], authors: [], categories: [], tags: [] };
  for (const [, minus, name, phrase, word = ""] of query.matchAll(PARTS))
    add(parsed, {
      name: name?.toLowerCase(),
      value: phrase ?? word,
      minus: minus ?? "",
      isQuoted: phrase != null,
    });
  const all = [
    ...parsed.terms.map(({ words }) => words),
    ...parsed.authors,
    ...parsed.categories,
    parsed.tags,
  ].flat();
  if (all.length > SEARCH.words) throw badField("query", TOO_MANY);
  parsed.terms = withoutRepetitions(parsed.terms);
  parsed.authors = withoutRepetitions(parsed.authors);
  parsed.categories = withoutRepetitions(parsed.categories);
  parsed.tags = withoutRepetitions(parsed.tags);
  if ([parsed.authors, parsed.categories, parsed.tags].some(({ length }) => length > SEARCH.filters))
    throw badField("query", TOO_MANY_FILTERS);
  const isEmpty = parsed.terms.every(({ isExcluded }) => isExcluded);
  if (isEmpty && [...parsed.authors, ...parsed.categories, ...parsed.tags].length === 0)
    throw badField("query", NO_WORD);
  return parsed;
}

function withoutRepetitions<T extends SearchTerm | string[] | string>(values: T[]): T[] {
  const byText = new Map(values.map((value) => [JSON.stringify(value).toLowerCase(), value]));
  return [...byText.values()];
}

type Part = { name: string | undefined; value: string; minus: string; isQuoted: boolean };

function add(parsed: SearchQuery, { name, value, minus, isQuoted }: Part): void {
  const words = wordsOf(value);
  const isExcluded = minus === "-";
  if (words.length === 0) {
    // `author:` alone is a word like any other.
    if (name) parsed.terms.push({ words: [name], isExcluded, isPrefix: false, isPhrase: false });
  } else if (name === "author" && !isExcluded) parsed.authors.push(words);
  else if (name === "category" && !isExcluded) parsed.categories.push(words);
  else if (name === "tag" && !isExcluded) parsed.tags.push(tagKey(value));
  else
    parsed.terms.push({
      words,
      isExcluded,
      isPrefix: !isQuoted && !isExcluded,
      isPhrase: isQuoted || !isUnspaced(value),
    });
}

/** The terms to find, without those that must be absent. */
export const positiveTerms = ({ terms }: SearchQuery): SearchTerm[] =>
  terms.filter(({ isExcluded }) => !isExcluded);
