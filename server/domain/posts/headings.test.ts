import { expect, test } from "vitest";
import { renderMarkdown } from "../../markdown/render.ts";
import { headingsIn } from "./headings.ts";

test("headings of rendered texts have the ids by which links find them, and plain texts", () => {
  const html = renderMarkdown('## Bread & *salt* <b>\n\nText\n\n### `a < b`\n\n## 麦 "x"\n\n#### Deep\n');
  const found = headingsIn(html);
  expect(found.map(({ text, level }) => [text, level])).toEqual([
    ["Bread & salt <b>", 2],
    ["a < b", 3],
    ['麦 "x"', 2],
    ["Deep", 3],
  ]);
  for (const { id } of found) expect(html).toContain(`id="${id}"`);
});

test("a text with very many or very long headings yields few and short ones", () => {
  const found = headingsIn(
    renderMarkdown(
      `## ${"😀".repeat(150)}${"a".repeat(100)}\n\n## ${"b".repeat(300)}\n\n${"## c\n\n".repeat(300)}`,
    ),
  );
  expect(found.length).toBe(100);
  expect(found[1]?.text).toBe("b".repeat(200));
  expect(found[0]?.text).toBe(`${"😀".repeat(150)}${"a".repeat(50)}`);
});
