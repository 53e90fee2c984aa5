import { expect, test } from "vitest";
import { excerpt } from "./excerpts.ts";

test("a short text is its own excerpt", () => {
  expect(excerpt("Two per cent. Of the flour, not the dough.")).toBe(
    "Two per cent. Of the flour, not the dough.",
  );
  expect(excerpt("")).toBe("");
  expect(excerpt("x".repeat(220))).toBe("x".repeat(220));
});

test("paragraphs and blanks become one line", () => {
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
])("the marks of %s are left out", (_name, description, plain) => {
  expect(excerpt(description)).toBe(plain);
});

test("a hyphen, a number and a sharp within a line stay", () => {
  expect(excerpt("C# in 1999 - or 3. November?")).toBe("C# in 1999 - or 3. November?");
});

test("a long text is cut at a word, at most at 220 characters, and says so", () => {
  const short = excerpt("seven words are enough for this excerpt ".repeat(20));
  expect(short.length).toBeLessThanOrEqual(221);
  expect(short.length).toBeGreaterThan(200);
  expect(short).toMatch(/ (seven|words|are|enough|for|this|excerpt)…$/);
});

test("a word without end is cut all the same", () => {
  expect(excerpt("x".repeat(5_000))).toBe(`${"x".repeat(110)}…`);
});

test("the largest text takes no time", () => {
  const start = performance.now();
  for (const mark of ["*", "[", "# ", "![](", "> ", "1. ", "\n"]) excerpt(mark.repeat(50_000 / mark.length));
  expect(performance.now() - start).toBeLessThan(500);
});

test("takes no time for what no person writes", () => {
  const worst = [
    `a${"\n".repeat(878)}b`,
    "[".repeat(880),
    "![](".repeat(220),
    `1${"1".repeat(878)}`,
    "* ".repeat(440),
  ];
  const began = performance.now();
  for (const text of worst) for (let n = 0; n < 200; n++) excerpt(text);
  // A thousand of them: 50 ms on a quiet machine.
  expect(performance.now() - began).toBeLessThan(1_000);
});
