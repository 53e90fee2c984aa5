import type { Nodes as HastNodes } from "hast";
import type { Nodes, Root } from "mdast";

/**
 * Characters of HTML that a text may become: an address that is given once and used a thousand times makes two hundred
 * times as many of it.
 */
export const maxHtmlOf = (text: string): number => 20_000 + 12 * text.length;
/** Levels of elements: browsers stop nesting at 512, recursion far above. */
const maxDepth = 100;

/** A text whose parsed form is too large or too deep; the caller shows it plainly. */
export class TooLarge extends Error {}

type Step = { node: Nodes | HastNodes; depth: number };

/** Without recursion, since it is the guard of all that recurse. */
const eachNode = (root: Nodes | HastNodes, visit: (node: Nodes | HastNodes) => void): void => {
  const steps: Step[] = [{ node: root, depth: 0 }];
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const { node, depth } = step;
    if (depth > maxDepth) throw new TooLarge("depth");
    visit(node);
    if ("children" in node) for (const child of node.children) steps.push({ node: child, depth: depth + 1 });
  }
};

/** Throws where addresses given once and used often would multiply (`[a]: long` and 10 000 × `[a]`). */
export const checkTree = (root: Root, maxHtml: number): void => {
  const addresses = new Map<string, number>();
  let total = 0;
  eachNode(root, (node) => {
    if (node.type === "definition" && !addresses.has(node.identifier))
      addresses.set(node.identifier, node.url.length);
  });
  eachNode(root, (node) => {
    if (node.type === "linkReference" || node.type === "imageReference")
      total += addresses.get(node.identifier) ?? 0;
    // Rows are padded to the columns of the head, `<td></td>` and a line break each.
    if (node.type === "table") total += node.children.length * (node.align?.length ?? 0) * 20;
    // A cell, a line, a note: each is an element, at the least some 20 characters of HTML.
    total += "value" in node ? node.value.length : 10;
    if (total > maxHtml) throw new TooLarge("html");
  });
};
