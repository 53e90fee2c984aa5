/**
 * The parser is quadratic in a few things, each within one block of text (lines between blank ones) or in the number
 * of blocks. Each limit keeps its own below about a second; the numbers are measured (`timings.txt`).
 */
const limits = {
  /** Quotes and list items opened on one line; each level is parsed by a parser of its own, inside the one before. */
  depth: 32,
  /** List items in a text. */
  items: 5000,
  /** Quotes begun in a text. */
  quotes: 1500,
  /** Emphasis marks and brackets: a closing one looks back over all open ones of its block. Squares, summed. */
  pairs: 20_000_000,
  /** `<!` and `<?` look for their end through the rest of the block. */
  markup: 200,
};

/** A line that ends a paragraph, also inside quotes. `>` after four blanks would go on with it instead. */
const blank = /^(?:[ \t]*|(?: {0,3}>)+[ \t]*)$/u;

/** `* * *` is a line across the page, not three lists. */
const ruler = /^ {0,3}([-*])(?:[ \t]*\1)*[ \t]*$/u;

/** One marker of a quote or list item at the beginning of what is left of a line. */
const marker = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))/uy;

/** Runs of marks that may pair; `_` inside a word never does (`snake_case`). */
const pairing = /(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])|\*+|~+|[[\]]/gu;

const count = (text: string, pattern: RegExp): number => {
  let found = 0;
  for (const _ of text.matchAll(pattern)) found += 1;
  return found;
};

type Markers = { quotes: number; items: number };

const markersOf = (line: string): Markers => {
  const found = { quotes: 0, items: 0 };
  if (ruler.test(line)) return found;
  marker.lastIndex = 0;
  for (let match = marker.exec(line); match !== null; match = marker.exec(line)) {
    if (match[0].endsWith(">")) found.quotes += 1;
    else found.items += 1;
  }
  return found;
};

/** Whether quotes and lists are nested too deep or are too many. */
const tooManyContainers = (lines: readonly string[]): boolean => {
  let items = 0;
  let quotes = 0;
  let before = 0;
  for (const line of lines) {
    const found = markersOf(line);
    if (found.quotes + found.items > limits.depth) return true;
    items += found.items;
    // Further lines of a quote only go on with it.
    quotes += Math.max(0, found.quotes - before);
    before = found.quotes;
  }
  return items > limits.items || quotes > limits.quotes;
};

/** The text of each block, lines between blank ones. */
const blocksOf = (lines: readonly string[]): string[] => {
  const blocks: string[][] = [[]];
  for (const line of lines) {
    if (blank.test(line)) blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  return blocks.filter((block) => block.length > 0).map((block) => block.join("\n"));
};

const tooManyMarks = (blocks: readonly string[]): boolean => {
  let pairs = 0;
  for (const block of blocks) {
    if (count(block, /<[!?]/gu) > limits.markup) return true;
    pairs += count(block, pairing) ** 2;
  }
  return pairs > limits.pairs;
};

/** Whether parsing could take long or much memory. Linear; no honest text comes near. */
export const exceedsLimits = (text: string): boolean => {
  const lines = text.split(/\r\n|\r|\n/u);
  return tooManyContainers(lines) || tooManyMarks(blocksOf(lines));
};
