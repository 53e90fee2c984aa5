import { parseFragment, type DefaultTreeAdapterTypes as Tree } from "parse5";

// The output rules again, independent of the schema and the renderer's parser.
const id = /^post-[\p{L}\p{M}\p{N}\p{Pc}-]+$/u;
const fragment = /^#/u;
const rel = "nofollow ugc noopener";

const isHref = (value: string): boolean => {
  // As a browser resolves it on a page of this site.
  const url = URL.canParse(value, "https://site.example/posts/1")
    ? new URL(value, "https://site.example/posts/1")
    : undefined;
  return url === undefined
    ? !/^[^/?#]*:/u.test(value) || /^https?:/iu.test(value)
    : ["http:", "https:", "mailto:"].includes(url.protocol);
};

type Rule = (value: string) => boolean;
const is =
  (...values: string[]): Rule =>
  (value) =>
    values.includes(value);
const file = String.raw`/media/[0-9a-f]{2}/[0-9a-f-]{36}/`;
const path = new RegExp(`^${file}picture\\.jpg$`, "u");
const listOf = (format: string) =>
  new RegExp(`^${file}\\d+\\.${format} \\d+w(, ${file}\\d+\\.${format} \\d+w)*$`, "u");
const size: Rule = (value) => /^[1-9]\d{0,4}$/u.test(value);
const sizes: Record<string, Rule> = { sizes: is("(width < 37rem) 92vw, 34rem") };
const ids: Record<string, Rule> = { id: (value) => id.test(value) };
const align: Record<string, Rule> = { align: is("left", "right", "center") };
const dir: Record<string, Rule> = { dir: is("auto") };

const rules: Record<string, Record<string, Rule>> = {
  ...Object.fromEntries(
    ["br", "hr", "strong", "em", "del", "table", "thead", "tbody", "tr", "sup"].map((name) => [name, {}]),
  ),
  p: dir,
  ul: dir,
  blockquote: dir,
  pre: { tabindex: is("0") },
  div: { ...dir, class: is("table"), role: is("region"), "aria-label": is("Table"), tabindex: is("0") },
  a: {
    ...ids,
    href: isHref,
    rel: is(rel),
    "aria-label": (value) => /^Back to reference \d+(-\d+)?$/u.test(value),
    "aria-describedby": is("post-footnote-label"),
    "data-footnote-ref": is(""),
    "data-footnote-backref": is(""),
  },
  ol: { ...dir, start: (value) => /^\d{1,9}$/u.test(value) },
  li: { id: (value) => /^post-fn-\d+$/u.test(value) },
  code: { class: (value) => /^language-[a-z0-9+#-]{1,20}$/u.test(value) },
  h2: { ...ids, ...dir },
  h3: { ...ids, ...dir },
  span: {
    class: (value) => /^token-(comment|keyword|string|number|name|inserted|deleted)$/u.test(value),
  },
  figure: dir,
  figcaption: {},
  picture: {},
  source: { ...sizes, type: is("image/avif"), srcset: (value) => listOf("avif").test(value) },
  img: {
    ...sizes,
    src: (value) => path.test(value),
    srcset: (value) => listOf("webp").test(value),
    alt: () => true,
    title: () => true,
    width: size,
    height: size,
    loading: is("lazy"),
    decoding: is("async"),
  },
  td: align,
  th: align,
  input: { type: is("checkbox"), "aria-label": is("Task"), disabled: is(""), checked: is("") },
  section: { class: is("footnotes"), "data-footnotes": is("") },
};

const own = <T>(table: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

const elementFaults = (element: Tree.Element): string[] => {
  const rule = own(rules, element.tagName);
  if (rule === undefined) return [`<${element.tagName}>`];
  const values = new Map(element.attrs.map(({ name, value }) => [name, value]));
  const faults = [...values].flatMap(([name, value]) =>
    own(rule, name)?.(value) ? [] : [`<${element.tagName} ${name}="${value}">`],
  );
  if (element.tagName === "a") {
    const href = values.get("href");
    if (href === undefined) faults.push("<a> without href");
    else if (fragment.test(href) === values.has("rel"))
      faults.push(`<a href="${href}"> with rel ${String(values.get("rel"))}`);
  }
  if (element.tagName === "img" && values.size < 8) faults.push("<img> without dimensions or alt");
  if (element.tagName === "input" && !(values.has("type") && values.has("disabled")))
    faults.push("<input> that can be used");
  return faults;
};

/** @returns the violations of the allow-list */
export const isAllowed = (html: string): string[] => {
  const faults: string[] = [];
  const seen = new Set<string>();
  const targets: string[] = [];
  const nodes: { node: Tree.ChildNode; inLink: boolean; depth: number }[] = [];
  const add = (children: Tree.ChildNode[], inLink: boolean, depth: number) => {
    for (const node of children) nodes.push({ node, inLink, depth });
  };
  add(
    parseFragment(html, {
      onParseError: ({ code }) => {
        if (
          !/^(control-character-in-input-stream|noncharacter-in-input-stream|surrogate-in-input-stream)$/u.test(
            code,
          )
        )
          faults.push(code);
      },
    }).childNodes,
    false,
    0,
  );
  for (let next = nodes.pop(); next !== undefined; next = nodes.pop()) {
    const { node, inLink, depth } = next;
    if (depth > 210) {
      faults.push("too deep");
      break;
    }
    if (node.nodeName === "#text") continue;
    if (!("tagName" in node)) {
      faults.push(node.nodeName);
      continue;
    }
    faults.push(...elementFaults(node));
    if (inLink && node.tagName === "a") faults.push("<a> in <a>");
    for (const { name, value } of node.attrs) {
      if (name === "id" && seen.has(value)) faults.push(`id "${value}" twice`);
      if (name === "id") seen.add(value);
      if (name === "href" && value.startsWith("#post-fn")) targets.push(value.slice(1));
      if (name === "aria-describedby") targets.push(value);
    }
    add(node.childNodes, inLink || node.tagName === "a", depth + 1);
  }
  for (const target of targets) if (!seen.has(target)) faults.push(`no id "${target}"`);
  return faults;
};
