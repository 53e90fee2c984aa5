import { createContext, Script } from "node:vm";
import type { Element, ElementContent, Root, RootContent } from "hast";
import { refractor } from "refractor";
import docker from "refractor/docker";
import graphql from "refractor/graphql";
import haskell from "refractor/haskell";
import jsx from "refractor/jsx";
import nginx from "refractor/nginx";
import powershell from "refractor/powershell";
import scala from "refractor/scala";
import toml from "refractor/toml";
import tsx from "refractor/tsx";

for (const language of [docker, graphql, haskell, jsx, nginx, powershell, scala, toml, tsx])
  refractor.register(language);
refractor.alias({ bash: ["zsh"], cpp: ["c++"], csharp: ["c#"], javascript: ["mjs", "cjs"], json: ["jsonc"] });

/** Milliseconds for all code of a text: some grammars are quadratic or worse. */
const budget = 1_000;

/** Spans of a text, beside one for six characters: each takes about thirty characters of HTML. */
const fewSpans = 500;

/** The kind of a token by its name in Prism. The styles are in `prose.css`. */
const kinds = new Map(
  Object.entries({
    comment: ["comment", "prolog", "doctype", "cdata", "shebang"],
    keyword: ["keyword", "atrule", "important", "rule", "boolean", "null", "nil"],
    string: [
      "string",
      "char",
      "attr-value",
      "template-string",
      "regex",
      "url",
      "heredoc-string",
      "triple-quoted-string",
    ],
    number: ["number", "constant", "symbol", "variable", "hexcode", "unit"],
    name: [
      "function",
      "class-name",
      "tag",
      "selector",
      "builtin",
      "attr-name",
      "property",
      "key",
      "title",
      "table",
    ],
    inserted: ["inserted", "inserted-sign"],
    deleted: ["deleted", "deleted-sign"],
  }).flatMap(([kind, names]) => names.map((name) => [name, kind] as const)),
);

type Run = { kind: string; text: string };

const kindOf = ({ properties: { className } }: Element, outer: string): string => {
  const names = Array.isArray(className) ? className.map(String) : [];
  // The code within a template is code again.
  if (names.includes("interpolation")) return "";
  return names.map((name) => kinds.get(name)).find((kind) => kind !== undefined) ?? outer;
};

/** Flattens nested tokens into runs of one kind each. */
const addRuns = (nodes: (RootContent | ElementContent)[], outer: string, runs: Run[]): Run[] => {
  for (const node of nodes) {
    const last = runs.at(-1);
    if (node.type === "element") addRuns(node.children, kindOf(node, outer), runs);
    else if (node.type !== "text") continue;
    else if (last?.kind === outer) last.text += node.value;
    else runs.push({ kind: outer, text: node.value });
  }
  return runs;
};

const context = createContext({ work: () => undefined });
const call = new Script("work()");

/** @throws after so many milliseconds, also within a regular expression */
const within = <T>(milliseconds: number, work: () => T): T => {
  context["work"] = work;
  return call.runInContext(context, { timeout: milliseconds }) as T;
};

const spanOf = ({ kind, text }: Run): ElementContent => {
  const value = { type: "text", value: text } as const;
  return kind === ""
    ? value
    : { type: "element", tagName: "span", properties: { className: [`token-${kind}`] }, children: [value] };
};

type Left = { milliseconds: number; spans: number };

/** @returns undefined for an unknown language, and where the code takes too long or has too many tokens */
const highlight = (code: string, language: string, left: Left): ElementContent[] | undefined => {
  if (!refractor.registered(language) || left.milliseconds < 1) return undefined;
  const began = performance.now();
  try {
    const root = within(left.milliseconds, () => refractor.highlight(code, language));
    const runs = addRuns(root.children, "", []);
    const spans = runs.filter(({ kind }) => kind !== "").length;
    if (spans > left.spans) return undefined;
    left.spans -= spans;
    return runs.map(spanOf);
  } catch {
    return undefined;
  } finally {
    left.milliseconds = Math.floor(left.milliseconds - (performance.now() - began));
  }
};

const highlightAll = (parent: Root | Element, left: Left): void => {
  for (const child of parent.children) {
    if (child.type !== "element") continue;
    const [code] = child.tagName === "pre" ? child.children : [];
    if (code?.type !== "element") highlightAll(child, left);
    else {
      const [text] = code.children;
      const [name] = Array.isArray(code.properties["className"]) ? code.properties["className"] : [];
      const language = String(name ?? "").replace(/^language-/u, "");
      if (text?.type === "text") code.children = highlight(text.value, language, left) ?? code.children;
    }
  }
};

type File = { data: Record<string, unknown> };

/** Marks the tokens of code blocks whose language is known. Runs after the sanitizer, so authors cannot choose the classes. */
export const rehypeHighlight = () => (root: Root, file: File) => {
  const { length } = file.data as { length: number };
  highlightAll(root, { milliseconds: budget, spans: fewSpans + Math.floor(length / 6) });
};
