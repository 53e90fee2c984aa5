import { describe, expect, test } from "vitest";
import { isAllowed } from "../testing/markdown/allowed-html.ts";
import { allPayloads } from "../../e2e/testing/markdown-payloads.ts";
import { renderMarkdown } from "./render.ts";

const folder = "/media/0a/0a345678-1234-4234-8234-123456789012";
const path = `${folder}/picture.jpg`;
const other = path.replaceAll("0a", "0b");
const picture = {
  width: 4000,
  height: 3000,
  srcset: `${folder}/480.webp 480w, ${folder}/960.webp 960w`,
  avifSrcset: null,
  alt: "A wall",
};
const render = (text: string, change: object = {}) =>
  renderMarkdown(text, { [path]: { ...picture, ...change } });

const sizes = "(width < 37rem) 92vw, 34rem";
const img = (alt: string, title = "") =>
  `<img src="${path}" alt="${alt}"${title} srcset="${picture.srcset}" sizes="${sizes}" width="4000" height="3000" loading="lazy" decoding="async">`;

describe("a picture of the site", () => {
  test.each([
    [
      "in a paragraph of its own becomes a figure, its title the caption",
      `![Slate](${path} "Near <b>Arouca</b>")`,
      `<figure dir="auto">${img("Slate")}<figcaption>Near &#x3C;b>Arouca&#x3C;/b></figcaption></figure>`,
    ],
    [
      "has its stored description unless the text gives one",
      `![](${path})`,
      `<figure dir="auto">${img("A wall")}</figure>`,
    ],
    [
      "beside others becomes a figure each",
      `![a](${path})\n![b](${path})`,
      `<figure dir="auto">${img("a")}</figure><figure dir="auto">${img("b")}</figure>`,
    ],
    [
      "may be a link",
      `[![a](${path} "c")](https://a.test)`,
      `<figure dir="auto"><a href="https://a.test" rel="nofollow ugc noopener">${img("a")}</a><figcaption>c</figcaption></figure>`,
    ],
    ["stays in its sentence", `so ![a](${path} "c") so`, `<p dir="auto">so ${img("a", ' title="c"')} so</p>`],
    ["by reference", `![a]\n\n[a]: ${path}`, `<figure dir="auto">${img("a")}</figure>`],
  ])("%s", (_name, text, html) => {
    expect(render(text)).toBe(html);
    expect(isAllowed(html)).toEqual([]);
  });

  test("is offered as AVIF once it has such files", () => {
    const avifSrcset = `${folder}/480.avif 480w`;
    const html = render(`![a](${path})`, { avifSrcset });
    expect(html).toBe(
      `<figure dir="auto"><picture><source type="image/avif" srcset="${avifSrcset}" sizes="${sizes}">${img("a")}</picture></figure>`,
    );
    expect(isAllowed(html)).toEqual([]);
  });

  test("is shown a hundred times at most; the others are links", () => {
    const lists = (format: string) =>
      [160, 480, 720, 960, 1600].map((width) => `${folder}/${width}.${format} ${width}w`).join(", ");
    const files = { srcset: lists("webp"), avifSrcset: lists("avif") };
    const html = render(`![a](${path})\n\n`.repeat(101), files);
    expect(html.match(/<img/g)).toHaveLength(100);
    expect(html).toContain(`<a href="${path}" rel="nofollow ugc noopener">a</a>`);
  });
});

test.each([
  other,
  `https://elsewhere.test${path}`,
  `//elsewhere.test${path}`,
  `${path}?x`,
  `${path}#x`,
  `${folder}/480.webp`,
  path.toUpperCase(),
  `.${path}`,
  "__proto__",
  "constructor",
])("%s is a link, since it is no such picture", (address) => {
  const html = render(`![cat](${address})`);
  expect(html).not.toContain("<img");
  expect(isAllowed(html)).toEqual([]);
});

test("a picture of another address is never shown, whatever is looked up", () => {
  const evil = { ...picture, srcset: "https://elsewhere.test/a.webp 1w" };
  const html = renderMarkdown("![a](https://elsewhere.test/a.jpg)", { "https://elsewhere.test/a.jpg": evil });
  expect(html).not.toContain("elsewhere");
});

test("no markup comes from the words of a picture", () => {
  for (const payload of allPayloads)
    for (const text of [
      `![${payload}](${path} "${payload}")`,
      `so ![a](${path} '${payload}')`,
      `[![a](${path}${payload})](${payload})`,
    ])
      expect(isAllowed(render(text, { alt: payload })), text).toEqual([]);
});
