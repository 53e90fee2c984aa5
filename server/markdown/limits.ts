/**
 * The parser is quadratic in a few things, each within one block of text (lines between blank ones) or in the number
 * of blocks. Each limit keeps its own below about a second; the numbers are measured.
 */
const limits = {
  /** Quotes and list items opened on one line; each level is parsed by a parser of its own, inside the one before. */
  depth: 32,
  /** List items in a text. */
  items: 5000,
  /** Quotes and lists begun in a text. */
  begun: 1500,
  /** Lines in a text: five letters each in the longest one. */
  lines: 10_000,
  /** Lines that underline a heading, `===` or `---`: each moves all that was parsed after it. */
  underlines: 1000,
  /** `[^`: footnotes and what points to them; each note is a block of its own, and each pointer a link back. */
  footnotes: 1500,
  /** `|` on one line: a row of a table is padded to as many cells as its head has. */
  cells: 200,
  /**
   * In a block, what looks for its end through all the rest of it, in vain: `<!`, `<?`, and the backtick after an
   * escaped one. (Other backticks do so once for each length of run.)
   */
  searches: 200,
  /** `]` of a block, times its letters, summed: one without its `[` looks back over all of the block. */
  closings: 90_000_000,
  /** Lines of a block, squared, summed over the blocks: each goes on with one paragraph and all that is around it. */
  lineSquares: 20_000_000,
  /**
   * Emphasis marks and brackets of a block, squared, summed: a closing one looks back over all open ones.
   * One block may have 6 700 of them, ten blocks 2 100 each.
   */
  markSquares: 45_000_000,
  /** Punctuation of a run without blanks, squared, summed: two thousand in one run. */
  punctuationSquares: 4_000_000,
};

/** A line that ends a paragraph, also inside quotes. `>` after four blanks would go on with it instead. */
const blank = /^(?:[ \t]*|(?: {0,3}>)+[ \t]*)$/u;

/** `* * *` is a line across the page, not three lists. */
const ruler = /^ {0,3}([-*])[ \t]*\1[ \t]*\1(?:[ \t]*\1)*[ \t]*$/u;

/** Also where a quote or list goes on. */
const underline = /^[ \t>]*(?:=+|-+)[ \t]*$/u;

/** One marker of a quote or list item at the beginning of what is left of a line. */
const marker = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))/uy;

/** Marks that may pair, two at a time; `_` inside a word never does (`snake_case`). */
const mark = /(?<![\p{L}\p{N}_])_{1,2}|_{1,2}(?![\p{L}\p{N}])|\*{1,2}|~+|[[\]]/gu;

const count = (text: string, pattern: RegExp): number => {
  let found = 0;
  for (const _ of text.matchAll(pattern)) found += 1;
  return found;
};

/** `fresh` are the quotes within an item that begins on the same line: they cannot go on with one before. */
type Markers = { quotes: number; fresh: number; items: number };

const markersOf = (line: string): Markers => {
  const found = { quotes: 0, fresh: 0, items: 0 };
  if (ruler.test(line)) return found;
  marker.lastIndex = 0;
  for (let match = marker.exec(line); match !== null; match = marker.exec(line)) {
    if (!match[0].endsWith(">")) found.items += 1;
    else if (found.items > 0) found.fresh += 1;
    else found.quotes += 1;
  }
  return found;
};

/** Whether quotes and lists are nested too deep or are too many. */
const tooManyContainers = (lines: readonly string[]): boolean => {
  let items = 0;
  let begun = 0;
  let before = 0;
  let inList = false;
  for (const line of lines) {
    const found = markersOf(line);
    if (found.quotes + found.fresh + found.items > limits.depth) return true;
    items += found.items;
    // Further items of a list and lines of a quote only go on with it; a line near the margin may end a list.
    if (found.items > 0 && !inList) begun += 1;
    inList = found.items > 0 || (inList && !/^ {0,3}[^ \t]/u.test(line));
    begun += Math.max(0, found.quotes - before) + found.fresh;
    before = found.quotes;
  }
  return items > limits.items || begun > limits.begun;
};

/** A bullet so near the margin ends the paragraph before it; numbers do not always. */
const bullet = /^ {0,3}[-+*][ \t]+[^ \t]/u;

/** The lines of each block. */
const blocksOf = (lines: readonly string[]): string[][] => {
  const blocks: string[][] = [[]];
  for (const line of lines) {
    if (blank.test(line)) blocks.push([]);
    else if (bullet.test(line)) blocks.push([line]);
    else blocks.at(-1)?.push(line);
  }
  return blocks;
};

/** Whether blocks have too much in them that is compared with all the rest of the block. */
const tooMuchInBlocks = (blocks: readonly string[][]): boolean => {
  let underlines = 0;
  let closings = 0;
  let lineSquares = 0;
  let markSquares = 0;
  for (const lines of blocks) {
    const block = lines.join("\n");
    if (count(block, /<[!?]|\\`/gu) > limits.searches) return true;
    underlines += lines.filter((line, index) => index > 0 && underline.test(line)).length;
    closings += count(block, /\]/gu) * block.length;
    lineSquares += lines.length ** 2;
    markSquares += count(block, mark) ** 2;
  }
  return (
    underlines > limits.underlines ||
    closings > limits.closings ||
    lineSquares > limits.lineSquares ||
    markSquares > limits.markSquares
  );
};

/** Punctuation that may end an address, or stand in one of mail: the search for addresses looks back over it. */
const punctuation = /[!"&'),.:;<>?@\]_~*`-]/gu;

/** Whether runs without a blank hold too much of it. */
const tooMuchPunctuation = (text: string): boolean => {
  let squares = 0;
  for (const [run] of text.matchAll(/\S+/gu)) squares += count(run, punctuation) ** 2;
  return squares > limits.punctuationSquares;
};

/** Whether there is too much of what costs wherever it stands. */
const tooMuchInText = (text: string, lines: readonly string[]): boolean =>
  lines.length > limits.lines ||
  count(text, /\[\^/gu) > limits.footnotes ||
  lines.some((line) => count(line, /\|/gu) > limits.cells) ||
  tooMuchPunctuation(text);

/** Whether parsing could take long or much memory. Linear; no honest text comes near. */
export const exceedsLimits = (text: string): boolean => {
  const lines = text.split(/\r\n|\r|\n/u);
  return tooMuchInText(text, lines) || tooManyContainers(lines) || tooMuchInBlocks(blocksOf(lines));
};
