import type { Element, ElementContent, Root, RootContent } from "hast";
import type { TextPicture, TextPictures } from "../domain/ports.ts";

/** Pictures shown by one text; each has about a kilobyte of HTML, however often a reference repeats it. */
const maxPictures = 100;

/** The width of the text in `prose.css`. */
const sizes = "(width < 37rem) 92vw, 34rem";

/** Data that unified passes to the plugins with a text. */
export type File = { data: Record<string, unknown> };

export const picturesOf = (file: File): TextPictures => file.data["pictures"] as TextPictures;

const find = (pictures: TextPictures, { properties: { src } }: Element): TextPicture | undefined =>
  typeof src === "string" && Object.hasOwn(pictures, src) ? pictures[src] : undefined;

/** @returns whether an image is one of the pictures, for the first ones of a text */
export const limitPictures = (pictures: TextPictures) => {
  let left = maxPictures;
  return (img: Element): boolean => find(pictures, img) !== undefined && left-- > 0;
};

const elementOf = (
  tagName: string,
  properties: Element["properties"],
  children: ElementContent[],
): Element => ({ type: "element", tagName, properties, children });

const isElement = (node: RootContent | ElementContent): node is Element => node.type === "element";
const isBlank = (node: ElementContent) =>
  node.type === "text" ? node.value.trim() === "" : isElement(node) && node.tagName === "br";

/** The image of a paragraph's part, which may be a link to somewhere else. */
const imageOf = (node: ElementContent): Element | undefined => {
  if (!isElement(node)) return undefined;
  if (node.tagName === "img") return node;
  const [child, ...others] = node.children;
  return node.tagName === "a" && child && others.length === 0 ? imageOf(child) : undefined;
};

/** The dimensions keep the text from moving while the picture loads. */
const complete = (img: Element, { width, height, srcset, avifSrcset, alt }: TextPicture): Element => {
  const { properties } = img;
  properties["alt"] = String(properties["alt"] ?? "").trim() || alt;
  Object.assign(properties, { srcSet: srcset, sizes, width, height, loading: "lazy", decoding: "async" });
  if (avifSrcset === null) return img;
  const avif = elementOf("source", { type: "image/avif", srcSet: avifSrcset, sizes }, []);
  return elementOf("picture", {}, [avif, img]);
};

/** A picture that is a paragraph of its own, with its Markdown title as caption. */
const figureOf = (node: ElementContent, img: Element, pictures: TextPictures): Element => {
  const title = String(img.properties["title"] ?? "").trim();
  delete img.properties["title"];
  const children = completeAll([node], pictures);
  const caption = elementOf("figcaption", {}, [{ type: "text", value: title }]);
  return elementOf("figure", {}, title ? [...children, caption] : children);
};

const figuresOf = (paragraph: Element, pictures: TextPictures): Element[] => {
  const parts = paragraph.children.filter((node) => !isBlank(node));
  const figures = parts.flatMap((node) => {
    const img = imageOf(node);
    return img ? [{ node, img }] : [];
  });
  return figures.length < parts.length ? [] : figures.map(({ node, img }) => figureOf(node, img, pictures));
};

const completeAll = (nodes: (RootContent | ElementContent)[], pictures: TextPictures): ElementContent[] =>
  nodes.flatMap((node) => {
    if (!isElement(node)) return [node as ElementContent];
    const picture = node.tagName === "img" ? find(pictures, node) : undefined;
    if (picture) return [complete(node, picture)];
    const figures = node.tagName === "p" ? figuresOf(node, pictures) : [];
    if (figures.length > 0) return figures;
    node.children = completeAll(node.children, pictures);
    return [node];
  });

/** Shows pictures. Runs after the sanitizer, which passes no more of them than their path. */
export const rehypePictures = () => (root: Root, file: File) => {
  const pictures = picturesOf(file);
  if (Object.keys(pictures).length > 0) root.children = completeAll(root.children, pictures);
};
