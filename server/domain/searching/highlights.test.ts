import { expect, test } from "vitest";
import { highlight, highlightExcerpt, wordsToMark } from "./highlights.ts";
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
  ["iotas, which the mark U+0345 equals without case", "ι".repeat(20_000), `${"ι".repeat(30)}q`],
  ["signs that fold to four", "∫".repeat(20_000), `slate ${"⨌".repeat(190)}q`],
  ["signs that fold to six", "rad∕s2".repeat(3_000), `slate ${"㎯".repeat(190)}`],
  ["many words", "ab".repeat(10_000), Array.from({ length: 16 }, () => "ababababab").join(" ")],
  ["syllables that are three letters", `z${"각".repeat(58)} `.repeat(333), "각"],
  [
    "words that begin within others",
    `z${"a".repeat(58)} `.repeat(333),
    Array.from({ length: 16 }, (_, n) => "a".repeat(n + 1)).join(" "),
  ],
  ["marks between asterisks", `a${marks("\u0301")}${marks("\u0327")}`, "garden"],
])("an excerpt does not take long: %s", (_name, text, query) => {
  const words = wordsToMark(parseQuery(query));
  const began = performance.now();
  for (let n = 0; n < 20; n++) highlightExcerpt(text.slice(0, 50_000), words);
  console.info(`${((performance.now() - began) / 20).toFixed(1)} ms an excerpt`);
  expect(performance.now() - began).toBeLessThan(1_000);
});

test("A48-2: an excerpt takes less than changing the case of each of its letters three times", () => {
  const letters = Array.from({ length: 20_000 }, (_, n) => String.fromCodePoint(0x4e00 + n));
  const text = letters.join("");
  const words = wordsToMark(parseQuery("how to"));
  const fastest = (work: () => unknown) => {
    const durations = Array.from({ length: 20 }, () => {
      const began = performance.now();
      work();
      return performance.now() - began;
    });
    return Math.min(...durations);
  };
  const changed = fastest(() => letters.map((letter) => letter.toUpperCase().toLowerCase()));
  const ratio = fastest(() => highlightExcerpt(text, words)) / changed;
  // Half of the time; six times as long, if each letter is looked up and appended.
  console.info(`${ratio.toFixed(2)} of the time`);
  expect(ratio).toBeLessThan(3);
});

test("marks beyond eight of a letter are left out of an excerpt", () => {
  const [part] = highlightExcerpt(`e${"\u0301*".repeat(20)} garden`, []);
  expect(part?.text.normalize("NFD")).toBe(`e${"\u0301".repeat(8)} garden`);
});

test("a long word of a script without spaces is marked by its first letters", () => {
  const word = LAO.repeat(60);
  const found = highlightExcerpt(`garden ${word}`, wordsToMark(parseQuery(word)));
  expect(found.filter(({ isMatch }) => isMatch).length).toBeGreaterThan(0);
});

const marked = (text: string, query: string) =>
  highlight(text, wordsToMark(parseQuery(query)))
    .filter(({ isMatch }) => isMatch)
    .map((part) => part.text);

test.each([
  ["A slate roof, Slate-grey, slated", "slate", ["slate", "Slate", "slated"]],
  ["A slate roof, slated", '"slate roof"', ["slate", "roof"]],
  ["translate", "slate", []],
  ["Über den Fluß", "uber fluss", ["Über", "Fluß"]],
  ["Æther and œuvre", "aether oeuvre", ["Æther", "œuvre"]],
  ["Łódź, İzmir, ısı", "lodz izmir isi", ["Łódź", "İzmir", "ısı"]],
  ["ΟΔΥΣΣΕΎΣ, Οδυσσεύς", "οδυσσευς", ["ΟΔΥΣΣΕΎΣ", "Οδυσσεύς"]],
  ["hindi में and मा", "में", ["में"]],
  ["Flussbett und Fluß", '"flus"', []],
  ["猫は本を読む", "本", ["本"]],
  ["𝒜𝒜 a𐐀b", "b", []],
  ["one two three", "two three", ["two", "three"]],
])("the words of a query are marked: %s, %s", (text, query, words) =>
  expect(marked(text, query)).toEqual(words),
);
