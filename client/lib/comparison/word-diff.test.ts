import fc from "fast-check";
import { expect, test } from "vitest";
import { countWords, diffWords, OMISSION, shorten, type Part } from "./word-diff.ts";

const without = (parts: Part[], left: Part["kind"]) =>
  parts.map(({ kind, text }) => (kind === left ? "" : text)).join("");
const marked = (older: string, newer: string) =>
  diffWords(older, newer)
    .map(({ kind, text }) => ({ same: text, removed: `[-${text}-]`, added: `[+${text}+]` })[kind])
    .join("");

test("words that were replaced, removed and added are marked", () => {
  expect(marked("The sea was calm.", "The sea was wild today.")).toBe("The sea was [-calm-][+wild today+].");
  expect(marked("a b c", "x y c")).toBe("[-a b-][+x y+] c");
  expect(marked("same", "same")).toBe("same");
  expect(marked("", "all new")).toBe("[+all new+]");
});

test("words of every script are compared", () => {
  expect(marked("Море было тихим", "Море было бурным")).toBe("Море было [-тихим-][+бурным+]");
  expect(marked("海很平静", "海很汹涌")).toBe("海很[-平静-][+汹涌+]");
});

test("both texts can be read from the parts, also where words cannot be compared in time", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "sea ", " ", "\n", "\r", "é", "👋", "*", "海"))
    .map((all) => all.join(""));
  for (const [words, lines] of [
    [400, 400],
    [-1, 400],
    [-1, -1],
  ] as const)
    fc.assert(
      fc.property(text, text, (older, newer) => {
        const parts = diffWords(older, newer, { words, lines });
        expect(without(parts, "added")).toBe(older);
        expect(without(parts, "removed")).toBe(newer);
      }),
      { numRuns: 200 },
    );
});

test("texts of the greatest length that have nothing in common take at most two seconds", () => {
  const words = (count: number, seed: string) =>
    Array.from({ length: count }, (_, index) => seed + index.toString(36)).join(" ");
  const begun = performance.now();
  const parts = diffWords(words(9_000, "a"), words(9_000, "b"));
  expect(performance.now() - begun).toBeLessThan(2_000);
  expect(countWords(parts, "removed")).toBe(9_000);
});

test("of long unchanged passages only what is next to a change is left", () => {
  const long = "word ".repeat(400);
  const [head, change, tail] = shorten(diffWords(`${long}old ${long}`, `${long}new ${long}`));
  expect(head?.text.startsWith(OMISSION)).toBe(true);
  expect(head?.text.length).toBeLessThan(210);
  expect(change).toEqual({ kind: "removed", text: "old" });
  expect(tail?.kind).toBe("added");
});
