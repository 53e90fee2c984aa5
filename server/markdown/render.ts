import type { Element, ElementContent, Root, RootContent } from "hast";
import type { Html, Parents, Root as Text } from "mdast";
import rehypeSanitize from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import type { TextPictures } from "../domain/ports.ts";
import { rehypeBlocks } from "./blocks.ts";
import { assignIds } from "./heading-ids.ts";
import { rehypeHighlight } from "./highlight.ts";
import { exceedsLimits } from "./limits.ts";
import { sanitizeLink } from "./links.ts";
import { limitPictures, picturesOf, rehypePictures, type File } from "./pictures.ts";
import { toPlainParagraphs } from "./plain.ts";
import { idPrefix, languageClass, schema } from "./schema.ts";
import { checkTree, maxHtmlOf, TreeTooLarge } from "./tree-limits.ts";

export { exceedsLimits, toPlainParagraphs };

/** Shows HTML in a text as text; a block of HTML becomes a paragraph. */
const html = (_state: unknown, { value }: Html, parent: Parents | undefined): ElementContent => {
  const text = { type: "text", value } as const;
  const inline =
    parent?.type !== undefined &&
    !["root", "blockquote", "listItem", "footnoteDefinition"].includes(parent.type);
  return inline ? text : { type: "element", tagName: "p", properties: {}, children: [text] };
};

/** Replaces external pictures by links, because loading them would reveal readers to other sites. */
const pictureLink = ({ properties: { src, alt } }: Element): Element => {
  const href = typeof src === "string" ? src : "";
  const value = typeof alt === "string" && alt.trim() !== "" ? alt : href;
  return { type: "element", tagName: "a", properties: { href }, children: [{ type: "text", value }] };
};

/** Keeps the class of an allowed language name only. */
const normalizeCode = ({ properties }: Element): void => {
  const name = Array.isArray(properties["className"]) ? String(properties["className"][0]).toLowerCase() : "";
  if (languageClass.test(name)) properties["className"] = [name];
  else delete properties["className"];
};

type Context = { ids: ReadonlySet<string>; isShown: (img: Element) => boolean };

/** Sanitizes links and pictures. Invalid links, and external pictures inside a link, become text. */
const transformChildren = (parent: Root | Element, context: Context, inLink = false): void => {
  parent.children = (parent.children as (RootContent | ElementContent)[]).flatMap(
    (child): (RootContent | ElementContent)[] => {
      if (child.type !== "element") return [child];
      if (child.tagName === "img" && context.isShown(child)) return [child];
      const element = child.tagName === "img" ? pictureLink(child) : child;
      if (element.tagName === "code") normalizeCode(element);
      transformChildren(element, context, inLink || element.tagName === "a");
      if (element.tagName === "a" && (inLink || !sanitizeLink(element, context.ids))) return element.children;
      return [element];
    },
  ) as ElementContent[];
};

const rehypePost = () => (root: Root, file: File) => {
  transformChildren(root, { ids: assignIds(root), isShown: limitPictures(picturesOf(file)) });
};

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { clobberPrefix: idPrefix, handlers: { html } })
  .use(rehypePost)
  .use(rehypeSanitize, schema)
  .use(rehypePictures)
  .use(rehypeBlocks)
  .use(rehypeHighlight)
  .use(rehypeStringify)
  .freeze();

/** @throws TreeTooLarge, or RangeError on a stack overflow */
const renderUnlimited = (text: string, pictures: TextPictures): string => {
  const tree: Text = processor.parse(text);
  const maxHtml = maxHtmlOf(text);
  checkTree(tree, maxHtml);
  const rendered = processor.stringify(processor.runSync(tree, { data: { pictures, length: text.length } }));
  if (rendered.length > maxHtml) throw new TreeTooLarge("html");
  return rendered;
};

/**
 * Renders a post's Markdown as sanitized HTML. Texts beyond the limits become plain paragraphs.
 * @param pictures the pictures that the text may show; others become links
 */
export const renderMarkdown = (text: string, pictures: TextPictures = {}): string => {
  if (exceedsLimits(text)) return toPlainParagraphs(text);
  try {
    return renderUnlimited(text, pictures);
  } catch (error) {
    if (error instanceof TreeTooLarge || error instanceof RangeError) return toPlainParagraphs(text);
    throw error;
  }
};
