import { expect, test } from "vitest";
import { highlightExcerpt, patternOf } from "./highlights.ts";
import { parseQuery } from "./parse-query.ts";

const LAO = "\u0e81";
const marks = (mark: string) => `${mark.repeat(64)}*`.repeat(150);

/** Twenty excerpts: before, one took up to 180 ms. */
test.each([
  ["a long word of a script without spaces", `${LAO.repeat(188)}\u0e82`.repeat(106), LAO.repeat(189)],
  [
    "many such words",
    `${LAO.repeat(20)}\u0e82`.repeat(950),
    Array.from({ length: 8 }, (_, n) => LAO.repeat(15 + n)).join(" "),
  ],
  ["marks between asterisks", `a${marks("\u0301")}${marks("\u0327")}`, "garden"],
])("an excerpt does not take long: %s", (_name, text, query) => {
  const pattern = patternOf(parseQuery(query));
  const began = performance.now();
  for (let n = 0; n < 20; n++) highlightExcerpt(text.slice(0, 50_000), pattern);
  console.info(`${((performance.now() - began) / 20).toFixed(1)} ms an excerpt`);
  expect(performance.now() - began).toBeLessThan(1_000);
});

test("marks beyond eight of a letter are left out of an excerpt", () => {
  const [part] = highlightExcerpt(`e${"\u0301*".repeat(20)} garden`, null);
  expect(part?.text.normalize("NFD")).toBe(`e${"\u0301".repeat(8)} garden`);
});

test("a long word of a script without spaces is marked by its first letters", () => {
  const word = LAO.repeat(60);
  const found = highlightExcerpt(`garden ${word}`, patternOf(parseQuery(word)));
  expect(found.filter(({ isMatch }) => isMatch).length).toBeGreaterThan(0);
});
