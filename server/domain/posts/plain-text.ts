/** Ends of blocks, which begin a new line. */
const BLOCK_END = /<(?:br|hr)[^>]*>|<\/(?:p|h[1-6]|li|tr|pre|blockquote|div|section)>/g;

/** The words of the HTML that the renderer and its fallback write, a line for each block, with their references. */
export const textOfHtml = (html: string): string =>
  html
    .replace(/\n/g, " ")
    .replace(BLOCK_END, "\n")
    .replace(/<\/t[dh]>/g, " ")
    // eslint-disable-next-line regexp/no-super-linear-move -- the renderer closes each tag that it opens
    .replace(/<(?:"[^"]*"|[^">])*>/g, "")
    // Without a callback, which would take ten times as long. Ampersands last: `&#x26;lt;` is `&lt;`.
    .replace(/&(?:#x3C|lt);/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&(?:#x26|amp);/g, "&")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n[ \n]*/g, "\n")
    .trim();
