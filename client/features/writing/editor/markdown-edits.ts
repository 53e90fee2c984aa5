/** A text and what is selected of it, by offsets. */
export type TextSelection = { text: string; start: number; end: number };

/** Replaces the text between two offsets, and then selects between two others. */
export type Edit = { from: number; to: number; insert: string; start: number; end: number };

const selectedText = ({ text, start, end }: TextSelection) => text.slice(start, end);

/** Puts marks around the selection, or takes them away. */
export function toggleMark(selected: TextSelection, mark: string): Edit {
  const { text, start, end } = selected;
  const { length } = mark;
  const isMarked = text.slice(start - length, start) === mark && text.slice(end, end + length) === mark;
  // A single asterisk beside another one belongs to bold text.
  const isPartOfLonger = text[start - length - 1] === mark[0] && mark.length === 1;
  const words = selectedText(selected);
  return isMarked && !isPartOfLonger
    ? { from: start - length, to: end + length, insert: words, start: start - length, end: end - length }
    : { from: start, to: end, insert: mark + words + mark, start: start + length, end: end + length };
}

/** Puts a prefix before each selected line, or takes it away where all have it. */
export function togglePrefix({ text, start, end }: TextSelection, prefix: string): Edit {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const next = text.indexOf("\n", end);
  const to = next < 0 ? text.length : next;
  const lines = text.slice(from, to).split("\n");
  const isOn = lines.every((line) => line.startsWith(prefix));
  const changed = lines.map((line) => (isOn ? line.slice(prefix.length) : prefix + line)).join("\n");
  const isCaret = start === end;
  return {
    ...{ from, to, insert: changed },
    start: isCaret ? Math.max(from, start + (changed.length - (to - from))) : from,
    end: isCaret ? Math.max(from, end + (changed.length - (to - from))) : from + changed.length,
  };
}

const ADDRESS = /^(?:https?:\/\/|mailto:)\S+$/i;

/** Makes a link of the selection, and selects the part that is missing. */
export function insertLink(selected: TextSelection): Edit {
  const { start: from, end: to } = selected;
  const words = selectedText(selected);
  if (ADDRESS.test(words)) return { from, to, insert: `[](${words})`, start: from + 1, end: from + 1 };
  const address = from + words.length + 3;
  return { from, to, insert: `[${words}](https://)`, start: address, end: address + "https://".length };
}

/** @returns null unless an address is pasted over words */
export function pasteAddress(selected: TextSelection, pasted: string): Edit | null {
  const words = selectedText(selected);
  const address = pasted.trim();
  if (!words.trim() || words.includes("\n") || ADDRESS.test(words) || !ADDRESS.test(address)) return null;
  return replaceSelected(selected, `[${words}](${address})`);
}

/** Inserts a pasted text, known only later, before what was typed there since. If another place has changed, it replaces the selection. */
export function insertPasted(at: TextSelection, now: TextSelection, pasted: string): Edit {
  const [before, behind] = [at.text.slice(0, at.start), at.text.slice(at.end)];
  if (now.text === at.text) return replaceSelected(at, pasted);
  const isThere = now.text.startsWith(before) && now.text.slice(before.length).endsWith(behind);
  if (!isThere) return replaceSelected(now, pasted);
  const caret = Math.max(now.end, at.start) + pasted.length;
  return { from: at.start, to: at.start, insert: pasted, start: caret, end: caret };
}

/** Replaces what is selected, and puts the caret behind it. */
function replaceSelected({ start: from, end: to }: TextSelection, insert: string): Edit {
  const caret = from + insert.length;
  return { from, to, insert, start: caret, end: caret };
}

/** Whether the caret is in a fenced block of code, which has no formatting. */
export const isInCode = ({ text, start }: TextSelection): boolean =>
  (text.slice(0, start).match(/^ {0,3}(```|~~~)/gm)?.length ?? 0) % 2 === 1;

/** Marks code within a line by backticks, and lines of code by a fence. */
export function toggleCode(selected: TextSelection): Edit {
  const words = selectedText(selected);
  if (!words.includes("\n")) return toggleMark(selected, "`");
  const { start, end } = selected;
  const insert = `\`\`\`\n${words}\n\`\`\``;
  return { from: start, to: end, insert, start: start + 3, end: start + 3 };
}

const TABLE = "| Column | Column |\n| --- | --- |\n|  |  |\n";

/** The line breaks that make a block of what follows. */
const gapAfter = (before: string) =>
  before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";

/** Inserts a table as a block of its own, and selects its first heading. */
export function insertTable({ text, end }: TextSelection): Edit {
  const gap = gapAfter(text.slice(0, end));
  const start = end + gap.length + 2;
  return { from: end, to: end, insert: gap + TABLE, start, end: start + "Column".length };
}

/** Inserts a block behind the selection, and goes on below it. */
export function insertBlock({ text, end }: TextSelection, block: string): Edit {
  const below = /^\n{0,2}/.exec(text.slice(end))?.[0].length ?? 0;
  const insert = `${gapAfter(text.slice(0, end))}${block}${"\n".repeat(2 - below)}`;
  const start = end + insert.length + below;
  return { from: end, to: end, insert, start, end: start };
}

export function withCaption(picture: string, caption: string): string {
  if (!caption) return picture;
  const title = caption.replace(/\s+/g, " ").replace(/["\\&]/g, "\\$&");
  return `${picture.slice(0, -1)} "${title}")`;
}

const ITEM = /^([ \t]*)([-*+]|(\d{1,9})([.)])|>)( \[[ xX]\])?( +)/;

/** Enter in a list or a quote begins the next item; in an empty item it ends the list. @returns null elsewhere */
export function continueItem({ text, start, end }: TextSelection): Edit | null {
  if (start !== end) return null;
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const next = text.indexOf("\n", start);
  const line = text.slice(from, next < 0 ? text.length : next);
  const item = ITEM.exec(line);
  if (!item || start - from < item[0].length) return null;
  if (line.trim() === item[0].trim())
    return { from, to: from + line.length, insert: "", start: from, end: from };
  const [, indent = "", mark = "", number, delimiter = "", box, space = " "] = item;
  const bullet = number === undefined ? mark : `${Number(number) + 1}${delimiter}`;
  const insert = `\n${indent}${bullet}${box ? " [ ]" : ""}${space}`;
  return { from: start, to: start, insert, start: start + insert.length, end: start + insert.length };
}

const WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;
const WORDS_PER_MINUTE = 220;

export const countWords = (text: string): number => text.match(WORD)?.length ?? 0;
export const readingMinutes = (words: number): number => Math.ceil(words / WORDS_PER_MINUTE);
