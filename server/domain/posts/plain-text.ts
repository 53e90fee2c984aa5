const references: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};

const REFERENCE = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos|nbsp));/gi;

function decode(all: string, hex?: string, decimal?: string, name = ""): string {
  const code = hex ? parseInt(hex, 16) : Number(decimal);
  if (hex || decimal) return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  return references[name.toLowerCase()] ?? all;
}

/** Ends of blocks, which begin a new line. */
const BLOCK_END = /<(?:br|hr)[^>]*>|<\/(?:p|h[1-6]|li|tr|pre|blockquote|div|section)>/g;

/** The words of the HTML that our renderer writes, a line for each block. */
export const textOfHtml = (html: string): string =>
  html
    .replace(/\n/g, " ")
    .replace(BLOCK_END, "\n")
    .replace(/<\/t[dh]>/g, " ")
    // eslint-disable-next-line regexp/no-super-linear-move -- the renderer closes each tag that it opens
    .replace(/<(?:"[^"]*"|[^">])*>/g, "")
    .replace(REFERENCE, decode)
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n[ \n]*/g, "\n")
    .trim();
