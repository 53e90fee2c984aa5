import { expect, test } from "vitest";
import { toPlainParagraphs } from "../../markdown/plain.ts";
import { textOfHtml } from "./plain-text.ts";

test("attributes with angle brackets are no text", () => {
  const html = '<p>A <img alt="a > b <i>" srcset="/x.webp 480w"> wall.</p><p>Dry &amp; grey.</p>';
  expect(textOfHtml(html)).toBe("A wall.\nDry & grey.");
});

test("references of the renderer and of its fallback are decoded once", () => {
  expect(textOfHtml("<p>1 &#x3C; 2 &#x26; &#x26;lt; &#x26;#x26;</p>")).toBe("1 < 2 & &lt; &#x26;");
  const text = `&amp; <b> "It's" &#39;`;
  expect(textOfHtml(toPlainParagraphs(text))).toBe(text);
});
