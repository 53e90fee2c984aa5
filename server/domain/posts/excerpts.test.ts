import { expect, test } from "vitest";
import { excerpt } from "./excerpts.ts";

test("returns a short text unchanged", () => {
  expect(excerpt("Two per cent. Of the flour, not the dough.")).toBe(
    "Two per cent. Of the flour, not the dough.",
  );
  expect(excerpt("")).toBe("");
  expect(excerpt("x".repeat(220))).toBe("x".repeat(220));
});

test("joins paragraphs and whitespace into one line", () => {
  expect(excerpt("  One.\n\nTwo.\n\tThree.  ")).toBe("One. Two. Three.");
});

test.each([
  ["a heading", "## Salt\n\nTwo per cent.", "Two per cent."],
  [
    "emphasis",
    "It was *never* his **own** `idea` ~~at all~~ _really_",
    "It was never his own idea at all really",
  ],
  ["a link", "See [the map](https://example.com/a_b) first.", "See the map first."],
  ["a picture", "![A hill](https://example.com/hill.jpg) in rain", "A hill in rain"],
  ["a list", "- flour\n* water\n+ salt\n1. knead\n12. wait", "flour water salt knead wait"],
  ["a quotation", "> Nobody said a word.", "Nobody said a word."],
])("removes the Markdown of %s", (_name, description, plain) => {
  expect(excerpt(description)).toBe(plain);
});

test("has no pictures, however long their words are", () => {
  const picture = `![${"A \\[wall\\] ".repeat(50)}](/media/0a/0a/picture.jpg "of (grey) \\"slate\\"")`;
  expect(excerpt(`${picture}\n\n${picture}\n\nIt grows.`)).toBe("It grows.");
});

test("keeps hyphens, numbers and # within a line", () => {
  expect(excerpt("C# in 1999 - or 3. November?")).toBe("C# in 1999 - or 3. November?");
});

test("cuts a long text at a word within 220 characters and adds an ellipsis", () => {
  const short = excerpt("seven words are enough for this excerpt ".repeat(20));
  expect(short.length).toBeLessThanOrEqual(221);
  expect(short.length).toBeGreaterThan(200);
  expect(short).toMatch(/ (seven|words|are|enough|for|this|excerpt)…$/);
});

test("cuts an overlong word", () => {
  expect(excerpt("x".repeat(5_000))).toBe(`${"x".repeat(110)}…`);
});

test("is fast for the longest text", () => {
  const start = performance.now();
  for (const mark of ["*", "[", "# ", "![](", "> ", "1. ", "\n"]) excerpt(mark.repeat(50_000 / mark.length));
  expect(performance.now() - start).toBeLessThan(500);
});

test("is fast for adversarial input", () => {
  const worst = [
    `a${"\n".repeat(878)}b`,
    "[".repeat(880),
    "![](".repeat(220),
    `1${"1".repeat(878)}`,
    "* ".repeat(440),
  ];
  const began = performance.now();
  for (const text of worst) for (let n = 0; n < 200; n++) excerpt(text);
  // 1,000 excerpts take 50 ms on an idle machine.
  expect(performance.now() - began).toBeLessThan(1_000);
});
