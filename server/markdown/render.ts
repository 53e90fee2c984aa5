import type { Element, ElementContent, Root, RootContent } from "hast";
import type { Html, Parents, Root as Text } from "mdast";
import rehypeSanitize from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { giveIds } from "./heading-ids.ts";
import { exceedsLimits } from "./limits.ts";
import { mendLink } from "./links.ts";
import { toPlainParagraphs } from "./plain.ts";
import { idPrefix, languageClass, schema } from "./schema.ts";
import { checkTree, maxHtmlOf, TooLarge } from "./tree-limits.ts";

export { exceedsLimits, toPlainParagraphs };

/** Markup in a text is shown as it was written; a block of it stands in a paragraph. */
const html = (_state: unknown, { value }: Html, parent: Parents | undefined): ElementContent => {
  const text = { type: "text", value } as const;
  const inline =
    parent?.type !== undefined &&
    !["root", "blockquote", "listItem", "footnoteDefinition"].includes(parent.type);
  return inline ? text : { type: "element", tagName: "p", properties: {}, children: [text] };
};

/** Pictures from elsewhere would tell others who reads; a link says where they are. */
const pictureLink = ({ properties: { src, alt } }: Element): Element => {
  const href = typeof src === "string" ? src : "";
  const value = typeof alt === "string" && alt.trim() !== "" ? alt : href;
  return { type: "element", tagName: "a", properties: { href }, children: [{ type: "text", value }] };
};

/** A language by its usual name; any other word leaves no class, not even an empty one. */
const mendCode = ({ properties }: Element): void => {
  const name = Array.isArray(properties["className"]) ? String(properties["className"][0]).toLowerCase() : "";
  if (languageClass.test(name)) properties["className"] = [name];
  else delete properties["className"];
};

/** Mends links and pictures; links that lead nowhere and pictures inside a link leave their text. */
const mendChildren = (parent: Root | Element, ids: ReadonlySet<string>, inLink = false): void => {
  parent.children = (parent.children as (RootContent | ElementContent)[]).flatMap(
    (child): (RootContent | ElementContent)[] => {
      if (child.type !== "element") return [child];
      const element = child.tagName === "img" ? pictureLink(child) : child;
      if (element.tagName === "code") mendCode(element);
      mendChildren(element, ids, inLink || element.tagName === "a");
      if (element.tagName === "a" && (inLink || !mendLink(element, ids))) return element.children;
      return [element];
    },
  ) as ElementContent[];
};

const rehypePost = () => (root: Root) => {
  mendChildren(root, giveIds(root));
};

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { clobberPrefix: idPrefix, handlers: { html } })
  .use(rehypePost)
  .use(rehypeSanitize, schema)
  .use(rehypeStringify)
  .freeze();

/** Markdown to allow-listed HTML without any limit: throws `TooLarge`, or a RangeError for a stack that overflows. */
const renderUnlimited = (text: string): string => {
  const tree: Text = processor.parse(text);
  const maxHtml = maxHtmlOf(text);
  checkTree(tree, maxHtml);
  const rendered = processor.stringify(processor.runSync(tree));
  if (rendered.length > maxHtml) throw new TooLarge("html");
  return rendered;
};

/** A post's text as HTML that is safe to send. Texts beyond the limits, which no honest one meets, stay plain. */
export const renderMarkdown = (text: string): string => {
  if (exceedsLimits(text)) return toPlainParagraphs(text);
  try {
    return renderUnlimited(text);
  } catch (error) {
    if (error instanceof TooLarge || error instanceof RangeError) return toPlainParagraphs(text);
    throw error;
  }
};
