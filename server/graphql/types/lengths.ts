import { LENGTHS, MAX_TAGS } from "../../limits.ts";

/** For instance "10 to 50 000 characters". */
export function lengthOf(name: keyof typeof LENGTHS): string {
  const [min, max] = LENGTHS[name];
  return `${min} to ${max.toLocaleString("en").replaceAll(",", " ")} characters`;
}

export const SEARCH_DESCRIPTION = `Only what holds this text; ${LENGTHS.search[1]} characters at most.`;

export const TAGS_DESCRIPTION = `Free words, ${MAX_TAGS} at most, of ${LENGTHS.tag[1]} characters at most each. Case, accents and spaces make no other tag.`;
