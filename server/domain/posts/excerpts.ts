const LENGTH = 220;

/** A picture of this site, with its caption. */
const PICTURE =
  /!\[(?:\\.|[^\][\\\n]){0,999}\]\(\/media\/[^\s)]{1,100}(?:[ \t]+"(?:\\.|[^"\\\n]){0,999}")?\)/g;

/** The first 220 characters of a text without its Markdown and its pictures, cut at a word boundary. */
export function excerpt(description: string): string {
  const plain = plainText(cutAt(LENGTH * 4, cutAt(LENGTH * 20, description).replace(PICTURE, "")));
  if (plain.length <= LENGTH) return plain;
  const lastBlank = plain.lastIndexOf(" ", LENGTH - 1);
  return `${cutAt(Math.max(lastBlank, LENGTH / 2), plain).trimEnd()}…`;
}

/** A text without headings and the marks of Markdown, on one line. */
export const plainText = (description: string): string =>
  description
    .replace(/^#{1,6} .*$/gm, "")
    .replace(/^[ \t]*(?:[-*+>]|\d{1,9}\.)[ \t]+/gm, "")
    .replace(/!?\[([^\][\n]{0,200})\]\([^)\n]{0,300}\)/g, "$1")
    .replace(/[*_`~]+/g, "")
    .replace(/\s+/g, " ")
    .trim();

const cutAt = (length: number, text: string) => text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
