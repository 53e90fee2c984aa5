import { z } from "zod";
import { LENGTHS, MAX_TAGS } from "../../limits.ts";
import { isPrintableName } from "../accounts/name-rules.ts";
import { isStorable } from "../input.ts";

const [, MAX_LENGTH] = LENGTHS.tag;

/** Accents distinguish few Latin and Greek words; in other scripts marks are vowels or separate letters. */
const ACCENTS = /(?<=[\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;

/** Equal for two spellings of a tag: ignores case, accents and how many spaces there are. */
export const tagKey = (name: string): string =>
  tagName(name).normalize("NFKD").replace(ACCENTS, "").normalize("NFKC").toLowerCase();

/** Characters read of a name and names of a list: normalization is quadratic in the marks on a letter. */
const [MAX_CHARACTERS, MAX_NAMES] = [10 * MAX_LENGTH, 100];

/** A tag as it is shown: without a hash before it, and with single spaces. */
const tagName = (name: string): string =>
  name
    .slice(0, MAX_CHARACTERS)
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^[# ]+/, "")
    .normalize();

/** Unstorable text, which no tag has, becomes "". */
export const searchedTagKey = (name: string): string =>
  isStorable(name) ? tagKey(name.slice(0, 4 * MAX_LENGTH)) : "";

/** Marks that strike letters out or enclose them, and piles of marks. Everybody's posts show the first spelling of a tag. */
const DISFIGURED = /[\u0334-\u0338\u20D2-\u20E6\p{Me}]|\p{M}{5}/u;

function problemOf(name: string): string | null {
  const invalidCharacters = "contains invalid characters";
  if (!isStorable(name) || /\p{Cc}/u.test(name)) return invalidCharacters;
  if (name.includes(",")) return "must not contain commas";
  if (!/[\p{L}\p{N}\p{S}]/u.test(name)) return "must contain a letter or a digit";
  if (name.length > MAX_LENGTH)
    return `length must be less than or equal to ${MAX_LENGTH} characters long each`;
  return isPrintableName(name) && !DISFIGURED.test(name) ? null : invalidCharacters;
}

export const tagNameInput = z
  .string()
  .transform(tagName)
  .check(({ value, issues }) => {
    const problem = problemOf(value);
    if (problem) issues.push({ code: "custom", message: problem, input: value });
  });

const oneOrMany = z.union([z.array(z.string()), z.string()], { error: "must be an array of strings" }).meta({
  description: `Free words, ${MAX_TAGS} at most; in a form separated by commas. Where they are left out, a post keeps its tags.`,
  examples: [["slate", "roofs"]],
});

export const tagNames = oneOrMany
  .transform((given) => withoutRepetitions(typeof given === "string" ? given.split(",") : given))
  .check(({ value, issues }) => {
    const problems = value.map(problemOf).filter((problem) => problem !== null);
    if (value.length > MAX_TAGS) problems.push(`must not be more than ${MAX_TAGS}`);
    for (const message of problems.slice(0, 1)) issues.push({ code: "custom", message, input: value });
  });

function withoutRepetitions(names: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const name of names.slice(0, MAX_NAMES).map(tagName))
    if (name && !byKey.has(tagKey(name))) byKey.set(tagKey(name), name);
  return [...byKey.values()];
}
