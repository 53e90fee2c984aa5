// Subsets the fonts of client/ui/styles/fonts.css and fonts-deferred.css to their unicode ranges, their weights and the OpenType features of
// plain text, which halves their size.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import subsetFont from "subset-font";

const from = "node_modules/@fontsource-variable/newsreader/files";
const to = "client/generated/fonts";
const sources = {
  "newsreader.woff2": "newsreader-latin-wght-normal.woff2",
  "newsreader-latin.woff2": "newsreader-latin-wght-normal.woff2",
  "newsreader-latin-ext.woff2": "newsreader-latin-ext-wght-normal.woff2",
  "newsreader-italic.woff2": "newsreader-latin-wght-italic.woff2",
};
const keepFeatures = ["kern", "liga", "ccmp", "locl", "mark", "mkmk", "calt", "tnum"];

const sheets = ["fonts.css", "fonts-deferred.css"].map((file) =>
  readFileSync(`client/ui/styles/${file}`, "utf8"),
);
const faces = sheets
  .join("")
  .matchAll(
    /url\("(?<file>[^"]+\.woff2)"\).*?font-weight: (?<min>\d+) (?<max>\d+);.*?unicode-range:(?<ranges>[^;]+);/gs,
  );

function lettersOf(ranges) {
  const points = ranges.split(",").flatMap((range) => {
    const [first, last = first] = range
      .replace(/\s*U\+/, "")
      .split("-")
      .map((hex) => parseInt(hex, 16));
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
  return String.fromCodePoint(...points);
}

mkdirSync(to, { recursive: true });
for (const { groups } of faces) {
  const name = basename(groups.file);
  const wght = { min: Number(groups.min), max: Number(groups.max) };
  const options = { targetFormat: "woff2", variationAxes: { wght }, keepFeatures };
  const whole = readFileSync(`${from}/${sources[name]}`);
  const face = await subsetFont(whole, lettersOf(groups.ranges), options);
  writeFileSync(`${to}/${name}`, face);
  console.log(`${name}: ${whole.length} bytes became ${face.length}`);
}
