import { expect, test } from "vitest";
import { textOfHtml } from "./plain-text.ts";

test("attributes with angle brackets are no text", () => {
  const html = '<p>A <img alt="a > b <i>" srcset="/x.webp 480w"> wall.</p><p>Dry &amp; grey.</p>';
  expect(textOfHtml(html)).toBe("A wall.\nDry & grey.");
});
