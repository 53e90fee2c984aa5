import type { Element, ElementContent, Root, RootContent } from "hast";
import { idPrefix } from "./schema.ts";

type Parent = Root | Element;
type Visit = (element: Element) => void;

/** In document order. Recursion is safe: `tree-limits.ts` has checked the depth. */
const eachElement = (parent: Parent, visit: Visit): void => {
  for (const child of parent.children as (RootContent | ElementContent)[]) {
    if (child.type !== "element") continue;
    visit(child);
    eachElement(child, visit);
  }
};

const textOf = (node: RootContent | ElementContent): string => {
  if (node.type === "text") return node.value;
  return node.type === "element" ? node.children.map(textOf).join("") : "";
};

/** GitHub's slugs, but limited in length, since every link repeats them. */
const slugOf = (text: string): string =>
  text
    .slice(0, 200)
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, "")
    .replace(/\s/gu, "-")
    .slice(0, 80)
    .toWellFormed() || "section";

/** Numbers repeated names: `a`, `a-1`, `a-2`. The counters keep this linear. */
const uniqueNames = (taken: Set<string>) => {
  const counters = new Map<string, number>();
  return (name: string): string => {
    let number = counters.get(name) ?? 0;
    let unique = number === 0 ? name : `${name}-${number}`;
    while (taken.has(unique)) unique = `${name}-${(number += 1)}`;
    counters.set(name, number + 1);
    taken.add(unique);
    return unique;
  };
};

const has = (element: Element, property: string): boolean => element.properties[property] !== undefined;

/** Gives footnotes numbers as ids: by label, `[^a-2]` and the second `[^a]` would share an id. */
const numberFootnotes = (root: Root): void => {
  const notes = new Map<string, number>();
  const references = new Map<number, number>();
  const section = root.children.find(
    (child): child is Element => child.type === "element" && has(child, "dataFootnotes"),
  );
  if (section === undefined) return;
  const list = section.children.find(
    (child): child is Element => child.type === "element" && child.tagName === "ol",
  );
  let number = 0;
  for (const note of list?.children ?? []) {
    if (note.type !== "element") continue;
    number += 1;
    const old = `#${String(note.properties["id"])}`;
    if (!notes.has(old)) notes.set(old, number);
    note.properties["id"] = `${idPrefix}fn-${number}`;
    let back = 0;
    eachElement(note, (link) => {
      if (!has(link, "dataFootnoteBackref")) return;
      back += 1;
      link.properties["href"] = `#${idPrefix}fnref-${number}${back === 1 ? "" : `-${back}`}`;
      link.properties["ariaLabel"] = `Back to reference ${number}${back === 1 ? "" : `-${back}`}`;
    });
  }
  eachElement(root, (link) => {
    if (!has(link, "dataFootnoteRef")) return;
    const note = notes.get(String(link.properties["href"])) ?? 0;
    const count = (references.get(note) ?? 0) + 1;
    references.set(note, count);
    link.properties["href"] = `#${idPrefix}fn-${note}`;
    link.properties["id"] = `${idPrefix}fnref-${note}${count === 1 ? "" : `-${count}`}`;
    link.properties["ariaDescribedBy"] = [`${idPrefix}footnote-label`];
  });
};

/** Sets unique, prefixed ids on footnotes and headings. @returns all ids */
export const assignIds = (root: Root): ReadonlySet<string> => {
  const taken = new Set<string>();
  numberFootnotes(root);
  eachElement(root, ({ properties }) => {
    if (properties["id"] === "footnote-label") properties["id"] = `${idPrefix}footnote-label`;
    if (typeof properties["id"] === "string") taken.add(properties["id"]);
  });
  const unique = uniqueNames(taken);
  eachElement(root, (element) => {
    if (!/^h[1-6]$/u.test(element.tagName)) return;
    element.properties["id"] ??= unique(idPrefix + slugOf(textOf(element)));
    // The title of the post is the page's `h1`.
    element.tagName = /^h[12]$/u.test(element.tagName) ? "h2" : "h3";
  });
  return taken;
};
