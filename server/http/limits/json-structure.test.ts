import { expect, test } from "vitest";
import { hasTooManyValues } from "./json-structure.ts";

test.each([
  ["an empty text", "", false],
  ["5 000 characters outside of strings", " ".repeat(5_000), false],
  ["one more", " ".repeat(5_001), true],
  ["levels of an array", "[".repeat(5_001), true],
  ["as many brackets in a string", JSON.stringify({ title: "[".repeat(50_000) }), false],
  [
    "a string with quotes, backslashes and brackets",
    JSON.stringify({ title: '[{"\\":1,'.repeat(9_000) }),
    false,
  ],
  ["values after such a string", `["${'\\"'.repeat(9_000)}"${",1".repeat(5_000)}]`, true],
  ["a string without an end", `"${"x".repeat(50_000)}`, false],
])("%s", (_name, json, expected) => {
  expect(hasTooManyValues(json)).toBe(expected);
});

test("400 kB of escaped quotes without an end take linear time", () => {
  const began = performance.now();
  expect(hasTooManyValues('"' + '\\"'.repeat(200_000))).toBe(false);
  expect(performance.now() - began).toBeLessThan(500);
});
