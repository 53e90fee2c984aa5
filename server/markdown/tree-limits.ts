import type { Nodes as HastNodes } from "hast";
import type { Nodes, Root } from "mdast";

/** Limit in characters: a URL defined once and referenced a thousand times would produce 200 times the text. */
export const maxHtmlOf = (text: string): number => 20_000 + 12 * text.length;
/** Nested elements: browsers stop nesting at 512, and recursion overflows far above. */
const maxDepth = 100;

/** The syntax tree is too large or too deep. */
export class TreeTooLarge extends Error {}

type Step = { node: Nodes | HastNodes; depth: number };

/** Iterative, since it guards the recursive functions. */
const eachNode = (root: Nodes | HastNodes, visit: (node: Nodes | HastNodes) => void): void => {
  const steps: Step[] = [{ node: root, depth: 0 }];
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const { node, depth } = step;
    if (depth > maxDepth) throw new TreeTooLarge("depth");
    visit(node);
    if ("children" in node) for (const child of node.children) steps.push({ node: child, depth: depth + 1 });
  }
};

/** Estimates the HTML, where a definition may multiply (`[a]: long` and 10 000 × `[a]`). @throws TreeTooLarge */
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
    // Rows are padded to the header's columns, with `<td></td>` and a line break each.
    if (node.type === "table") total += node.children.length * (node.align?.length ?? 0) * 20;
    total += "value" in node ? node.value.length : 10;
    if (total > maxHtml) throw new TreeTooLarge("html");
  });
};
