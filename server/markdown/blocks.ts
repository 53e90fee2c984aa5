import type { Element, ElementContent, Root, RootContent } from "hast";

type Parent = Root | Element;

const isElement = (node: RootContent | ElementContent): node is Element => node.type === "element";

/** A wide table scrolls in a frame of its own; the frame and code blocks scroll by keyboard too. */
const frameOf = (table: Element): Element => ({
  type: "element",
  tagName: "div",
  properties: { className: ["table"], role: "region", ariaLabel: "Table", tabIndex: 0 },
  children: [table],
});

const makeUsable = (parent: Parent): void => {
  parent.children = (parent.children as ElementContent[]).map((child) => {
    if (!isElement(child)) return child;
    makeUsable(child);
    if (child.tagName === "pre") child.properties["tabIndex"] = 0;
    if (child.tagName === "input") child.properties["ariaLabel"] = "Task";
    return child.tagName === "table" ? frameOf(child) : child;
  });
};

/** Each block takes its direction from its first letters; blocks within it inherit that, and code is left to right. */
const setDirection = (parent: Parent): void => {
  for (const child of parent.children) {
    if (!isElement(child)) continue;
    if (child.tagName === "section") setDirection(child);
    else if (!["pre", "hr"].includes(child.tagName)) child.properties["dir"] = "auto";
  }
};

/** Runs after the sanitizer, so authors cannot choose these attributes. */
export const rehypeBlocks = () => (root: Root) => {
  makeUsable(root);
  setDirection(root);
};
