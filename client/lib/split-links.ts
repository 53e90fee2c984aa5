type Part = { text: string; href?: string };

const address = /https?:\/\/[^\s<>"]+/gi;

/** Further addresses stay text: each link takes time to render. */
const MAX_LINKS = 20;

/** Splits a text at its addresses, which get an `href`. */
export function splitLinks(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: match, index } of text.matchAll(address)) {
    const href = withoutPunctuation(match);
    if (!URL.canParse(href)) continue;
    if (parts.length >= 2 * MAX_LINKS) break;
    parts.push({ text: text.slice(end, index) }, { text: href, href });
    end = index + href.length;
  }
  return [...parts, { text: text.slice(end) }].filter((part) => part.text !== "");
}

/** The end of a sentence is not part of an address, nor is a bracket that was opened before it. */
function withoutPunctuation(match: string): string {
  const marks = match.includes("(") ? ".,;:!?'’”»*_" : ".,;:!?'’”»*_)";
  let end = match.length;
  while (marks.includes(match.charAt(end - 1))) end--;
  return match.slice(0, end);
}
