import { LENGTHS } from "../../limits.ts";

/** For instance "10 to 50 000 characters". */
export function lengthOf(name: keyof typeof LENGTHS): string {
  const [min, max] = LENGTHS[name];
  return `${min} to ${max.toLocaleString("en").replaceAll(",", " ")} characters`;
}

export const SEARCH_DESCRIPTION = `Only what holds this text; ${LENGTHS.search[1]} characters at most.`;
