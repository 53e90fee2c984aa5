/**
 * The parser is quadratic in some constructs, within a block (lines between blank ones) or in the number of blocks.
 * Each limit keeps one of them below about a second, as measured.
 */
const limits = {
  /** Quotes and list items opened on one line; each level nests a parser. */
  depth: 32,
  items: 5000,
  begun: 1500,
  lines: 10_000,
  /** Setext heading underlines (`===`, `---`): each moves everything parsed after it. */
  underlines: 1000,
  /** `[^`: each footnote is a block, and each reference adds a backlink. */
  footnotes: 1500,
  /** `|` on one line: table rows are padded to the cells of the header. */
  cells: 200,
  /** `<!`, `<?` and a backtick after an escape: each scans the rest of the block for its end. */
  searches: 200,
  /** `]` of a block, times its characters, summed: an unmatched one scans the whole block backwards. */
  closings: 90_000_000,
  /** Lines of a block, squared, summed: each continues the paragraph and its containers. */
  lineSquares: 20_000_000,
  /** Emphasis marks and brackets of a block, squared, summed: a closing one scans all open ones. */
  markSquares: 45_000_000,
  /** Deepest emphasis of a block, times its punctuation and lines, summed: each pair copies the tokens inside. */
  nesting: 600_000,
  /** Closing marks and `]` of a block without an opening one, times its punctuation and lines, summed: each scans all tokens. */
  scans: 6_000_000,
  /** Places of a block behind `[` where an address may begin: its parser looks for an open bracket before each. */
  addresses: 10_000,
  /** Punctuation of a run without blanks, squared, summed. */
  punctuationSquares: 4_000_000,
};

/** Ends a paragraph, also inside quotes. `>` after four blanks would continue it. */
const blank = /^(?:[ \t]*|(?: {0,3}>)+[ \t]*)$/u;

/** A thematic break such as `* * *` is not three lists. */
const ruler = /^ {0,3}([-*])[ \t]*\1[ \t]*\1(?:[ \t]*\1)*[ \t]*$/u;

/** Also in quotes and lists. */
const underline = /^[ \t>]*(?:=+|-+)[ \t]*$/u;

/** A quote or list marker at the current position. */
const marker = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))/uy;

/** Delimiters that may pair, two at a time; `_` inside a word never does (`snake_case`). */
const mark = /(?<![\p{L}\p{N}_])_{1,2}|_{1,2}(?![\p{L}\p{N}])|\*{1,2}|~+|[[\]]/gu;

const count = (text: string, pattern: RegExp): number => {
  let found = 0;
  for (const _ of text.matchAll(pattern)) found += 1;
  return found;
};

/** `fresh` are quotes in an item that begins on the same line: they cannot continue an earlier quote. */
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

const tooManyContainers = (lines: readonly string[]): boolean => {
  let items = 0;
  let begun = 0;
  let before = 0;
  let inList = false;
  for (const line of lines) {
    const found = markersOf(line);
    if (found.quotes + found.fresh + found.items > limits.depth) return true;
    items += found.items;
    // Further items and lines continue a list or quote; a line near the margin may end a list.
    if (found.items > 0 && !inList) begun += 1;
    inList = found.items > 0 || (inList && !/^ {0,3}[^ \t]/u.test(line));
    begun += Math.max(0, found.quotes - before) + found.fresh;
    before = found.quotes;
  }
  return items > limits.items || begun > limits.begun;
};

/** A bullet near the margin always ends the paragraph before it; a number may not. */
const bullet = /^ {0,3}[-+*][ \t]+[^ \t]/u;

const blocksOf = (lines: readonly string[]): string[][] => {
  const blocks: string[][] = [[]];
  for (const line of lines) {
    if (blank.test(line)) blocks.push([]);
    else if (bullet.test(line)) blocks.push([line]);
    else blocks.at(-1)?.push(line);
  }
  return blocks;
};

/** Of emails, of `http` behind anything but a letter, and of `www` behind `_`, which is part of an email's word. */
const addressStart = /(?<![\w+./-])[\w+.-]|(?<![a-z])h|(?<=_)w/giu;

const isSpace = (character: string) => /^\s?$/u.test(character);
const isPunctuation = (character: string) => /^[\p{P}\p{S}]$/u.test(character);

/** The deepest nesting, and the closing marks without an opening one. By the rules of CommonMark, `_` inside a word is neither. */
const emphasisOf = (block: string) => {
  const open: Record<string, number> = {};
  let [all, deepest, unmatched] = [0, 0, 0];
  for (const { 0: run, 1: character, index } of block.matchAll(/\\[^]|([*_~])\1*/gu)) {
    if (!character) continue;
    const [before = "", after = ""] = [block[index - 1], block[index + run.length]];
    const left = !isSpace(after) && (!isPunctuation(after) || isSpace(before) || isPunctuation(before));
    const right = !isSpace(before) && (!isPunctuation(before) || isSpace(after) || isPunctuation(after));
    const isInWord = character === "_" && left && right && !isPunctuation(before) && !isPunctuation(after);
    if (isInWord || (!left && !right)) continue;
    const [had = 0, pairs] = [open[character], Math.ceil(run.length / 2)];
    if (right && had === 0) unmatched++;
    open[character] = right && had > 0 ? Math.max(0, had - pairs) : left ? had + pairs : had;
    all += open[character] - had;
    deepest = Math.max(deepest, all);
  }
  return { deepest, unmatched };
};

const unmatchedBrackets = (block: string): number => {
  let [open, unmatched] = [0, 0];
  for (const [bracket] of block.matchAll(/[[\]]/gu)) {
    if (bracket === "[") open++;
    else if (open > 0) open--;
    else unmatched++;
  }
  return unmatched;
};

const addressesBehindBracket = (block: string): number => {
  const bracket = block.indexOf("[");
  return bracket < 0 ? 0 : count(block.slice(bracket), addressStart);
};

const tooMuchInBlocks = (blocks: readonly string[][]): boolean => {
  let underlines = 0;
  let closings = 0;
  let lineSquares = 0;
  let markSquares = 0;
  let [nesting, scans] = [0, 0];
  for (const lines of blocks) {
    const block = lines.join("\n");
    if (count(block, /<[!?]|\\`/gu) > limits.searches || addressesBehindBracket(block) > limits.addresses)
      return true;
    underlines += lines.filter((line, index) => index > 0 && underline.test(line)).length;
    closings += count(block, /\]/gu) * block.length;
    lineSquares += lines.length ** 2;
    markSquares += count(block, mark) ** 2;
    const tokens = count(block, /[\p{P}\p{S}\n]/gu);
    const { deepest, unmatched } = emphasisOf(block);
    nesting += deepest * tokens;
    scans += (unmatched + unmatchedBrackets(block)) * tokens;
  }
  return (
    underlines > limits.underlines ||
    closings > limits.closings ||
    lineSquares > limits.lineSquares ||
    markSquares > limits.markSquares ||
    nesting > limits.nesting ||
    scans > limits.scans
  );
};

/** Punctuation that may end a URL or occur in an email address: autolinks scan it backwards. */
const punctuation = /[!"&'),.:;<>?@\]_~*`-]/gu;

const tooMuchPunctuation = (text: string): boolean => {
  let squares = 0;
  for (const [run] of text.matchAll(/\S+/gu)) squares += count(run, punctuation) ** 2;
  return squares > limits.punctuationSquares;
};

const tooMuchInText = (text: string, lines: readonly string[]): boolean =>
  lines.length > limits.lines ||
  count(text, /\[\^/gu) > limits.footnotes ||
  lines.some((line) => count(line, /\|/gu) > limits.cells) ||
  tooMuchPunctuation(text);

/** Whether parsing could take too much time or memory. Linear; real texts stay far below the limits. */
export const exceedsLimits = (text: string): boolean => {
  const lines = text.split(/\r\n|\r|\n/u);
  return tooMuchInText(text, lines) || tooManyContainers(lines) || tooMuchInBlocks(blocksOf(lines));
};
