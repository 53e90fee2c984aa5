const LENGTH = 220;

/** The first words of a text, without its marks, cut at a word. */
export function excerpt(description: string): string {
  const plain = description
    .slice(0, LENGTH * 4)
    .replace(/^#{1,6} .*$/gm, "")
    .replace(/^\s*(?:[-*+>]|\d+\.)\s+/gm, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`~]+/g, "")
    .replace(/\s+/g, " ")
    .trim();
  if (plain.length <= LENGTH) return plain;
  const cut = plain.slice(0, LENGTH);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), LENGTH / 2)).trimEnd()}…`;
}
