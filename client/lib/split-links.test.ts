import { expect, test } from "vitest";
import { splitLinks } from "./split-links.ts";

const linksIn = (text: string) => splitLinks(text).flatMap(({ href }) => href ?? []);

test.each([
  ["See https://a.test/b?c=d#e now", ["https://a.test/b?c=d#e"]],
  [
    "(http://a.test/b). Or https://b.test, or https://c.test!",
    ["http://a.test/b", "https://b.test", "https://c.test"],
  ],
  ["https://a.test/wiki_(x)", ["https://a.test/wiki_(x)"]],
  ["HTTPS://A.TEST/x", ["HTTPS://A.TEST/x"]],
  ["راجع https://a.test/ب؟", ["https://a.test/ب؟"]],
  ["no javascript:alert(1), data:text/html,x, ftp://a.test, //a.test or https://", []],
  ['<a href="https://a.test">x</a>', ["https://a.test"]],
])("the links in %s", (text, links) => {
  expect(linksIn(text)).toEqual(links);
});

test("a text has twenty links at most", () => {
  expect(linksIn("https://a.test ".repeat(30))).toHaveLength(20);
});

test("the parts together are the text", () => {
  for (const text of [
    "",
    "a",
    "https://a.test",
    "a\n\nhttps://a.test. https://b.test",
    ".".repeat(2_000),
    "http://a ".repeat(30),
  ])
    expect(
      splitLinks(text)
        .map((part) => part.text)
        .join(""),
    ).toBe(text);
});

test("a long text takes linear time", () => {
  const start = performance.now();
  splitLinks(`https://${"(".repeat(1_000_000)}${".)".repeat(500_000)}`);
  expect(performance.now() - start).toBeLessThan(1_000);
});
