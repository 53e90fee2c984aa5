import { expect, test } from "vitest";
import {
  continueItem,
  countWords,
  insertBlock,
  insertLink,
  insertPasted,
  insertTable,
  pasteAddress,
  readingMinutes,
  toggleCode,
  toggleMark,
  togglePrefix,
  withCaption,
  type Edit,
  type TextSelection,
} from "./markdown-edits.ts";

/** Reads `«` and `»` as the ends of the selection, `^` as the caret. */
function parse(marked: string): TextSelection {
  const caret = marked.indexOf("^");
  if (caret >= 0) return { text: marked.replace("^", ""), start: caret, end: caret };
  const [before = "", words = "", after = ""] = marked.split(/[«»]/);
  return { text: before + words + after, start: before.length, end: before.length + words.length };
}

function print({ text }: TextSelection, edit: Edit | null): string | null {
  if (!edit) return null;
  const { from, to, insert, start, end } = edit;
  const next = text.slice(0, from) + insert + text.slice(to);
  if (start === end) return `${next.slice(0, start)}^${next.slice(start)}`;
  return `${next.slice(0, start)}«${next.slice(start, end)}»${next.slice(end)}`;
}

const after = (marked: string, edit: (selected: TextSelection) => Edit | null) =>
  print(parse(marked), edit(parse(marked)));
const bold = (selected: TextSelection) => toggleMark(selected, "**");
const italic = (selected: TextSelection) => toggleMark(selected, "*");
const list = (selected: TextSelection) => togglePrefix(selected, "- ");

test.each([
  ["a «word»", bold, "a **«word»**"],
  ["a **«word»**", bold, "a «word»"],
  ["a ^", bold, "a **^**"],
  ["a **^**", bold, "a ^"],
  ["**«word»**", italic, "***«word»***"],
  ["*«word»*", italic, "«word»"],
  ["one\n«two\nthree»", list, "one\n«- two\n- three»"],
  ["«- two\n- three»", list, "«two\nthree»"],
  ["one tw^o", list, "- one tw^o"],
  ["- one^", list, "one^"],
  ["^", list, "- ^"],
  ["see «this»", insertLink, "see [this](«https://»)"],
  ["^", insertLink, "[](«https://»)"],
  ["«https://a.example/b»", insertLink, "[^](https://a.example/b)"],
  ["run «npm»", toggleCode, "run `«npm»`"],
  ["«a\nb»", toggleCode, "```^\na\nb\n```"],
  ["text^", insertTable, "text\n\n| «Column» | Column |\n| --- | --- |\n|  |  |\n"],
] as const)("%s", (before, edit, result) => {
  expect(after(before, edit)).toBe(result);
});

test.each([
  ["- one^", "- one\n- ^"],
  ["  * one^ two", "  * one\n  * ^ two"],
  ["9. nine^", "9. nine\n10. ^"],
  ["1) a\n2) b^", "1) a\n2) b\n3) ^"],
  ["- [x] done^", "- [x] done\n- [ ] ^"],
  ["> said^", "> said\n> ^"],
  ["- one\n- ^", "- one\n^"],
  ["- [ ] ^\nnext", "^\nnext"],
  ["plain^", null],
  ["^- one", null],
  ["- «one»", null],
  ["-5 degrees^", null],
])("Enter in %s", (before, result) => {
  expect(after(before, continueItem)).toBe(result);
});

test("an address pasted over words makes a link of them; anything else is pasted as it is", () => {
  const paste = (marked: string, pasted: string) =>
    after(marked, (selected) => pasteAddress(selected, pasted));
  expect(paste("see «this»", " https://a.example ")).toBe("see [this](https://a.example)^");
  expect(paste("see «this»", "that")).toBeNull();
  expect(paste("see «this»", "javascript:alert(1)")).toBeNull();
  expect(paste("see ^", "https://a.example")).toBeNull();
  expect(paste("«https://b.example»", "https://a.example")).toBeNull();
});

test.each([
  ["^", "![](a)\n\n^"],
  ["one^", "one\n\n![](a)\n\n^"],
  ["one\n^\ntwo", "one\n\n![](a)\n\n^two"],
  ["«one»\n\ntwo", "one\n\n![](a)\n\n^two"],
  ["on^e", "on\n\n![](a)\n\n^e"],
])("a block in %j stands alone", (before, result) => {
  expect(after(before, (selected) => insertBlock(selected, "![](a)"))).toBe(result);
});

test("a caption is the title of a picture, whatever it contains", () => {
  expect(withCaption("![a](b)", "")).toBe("![a](b)");
  expect(withCaption("![a](b)", 'A "grey"\nwall \\ &amp;')).toBe('![a](b "A \\"grey\\" wall \\\\ \\&amp;")');
});

test("words and minutes are counted", () => {
  expect(countWords("It’s a well-known **fact**:\n\n- Ærø 2026")).toBe(6);
  expect(countWords("")).toBe(0);
  expect([0, 1, 220, 221].map(readingMinutes)).toEqual([0, 1, 1, 2]);
});

test("the longest text is counted in linear time", () => {
  const begin = performance.now();
  countWords("a-".repeat(25_000));
  continueItem(parse(`- ${" ".repeat(50_000)}^`));
  expect(performance.now() - begin).toBeLessThan(200);
});

const X = "*pasted*";

test.each([
  ["the caret has moved since", "a^b", "ab^", "a*pasted*^b"],
  ["the selection is another one since", "a «b» c", "«a b c»", "a *pasted*^ c"],
  ["words were typed behind it", "a^b", "a words^b", "a*pasted* words^b"],
  ["words were typed in place of the selection", "a «b» c", "a d^ c", "a *pasted*d^ c"],
  ["another place has changed", "a^b", "A^b", "A*pasted*^b"],
  ["the text is shorter", "aa^aa", "aa^", "aa*pasted*^"],
])("a text that is pasted when %s", (_, at, now, expected) => {
  expect(after(now, (selected) => insertPasted(parse(at), selected, X))).toBe(expected);
});
