import TurndownService from "turndown";
import { trustedHtml } from "../../../lib/trusted-html.ts";
import { simplify, STYLE_ATTRIBUTE } from "./pasted-html.ts";

const service = new TurndownService({
  headingStyle: "atx",
  hr: "---",
  bulletListMarker: "-",
  codeBlockStyle: "fenced",
  emDelimiter: "*",
  br: "\\",
});

const escapeBasics = service.escape.bind(service);
// Else what was a text would be HTML, which posts do not show.
service.escape = (text) => escapeBasics(text).replaceAll("<", "\\<");

service.remove(["script", "style", "title", "head", "iframe", "object", "template", "noscript", "button"]);
service.addRule("picture", { filter: "img", replacement: () => "" });
service.addRule("strikethrough", { filter: ["del", "s", "strike"], replacement: (text) => `~~${text}~~` });
service.addRule("link", { filter: "a", replacement: linkOf });
service.addRule("item", { filter: "li", replacement: itemOf });
service.addRule("table", { filter: "table", replacement: tableOf });

/** HTML of another program as Markdown. @returns null if it has no formatting: its plain text is better */
export function toMarkdown(html: string): string | null {
  // The document runs no scripts, loads no pictures and is never shown.
  const { body } = new DOMParser().parseFromString(trustedHtml(withoutInlineCode(html)), "text/html");
  return simplify(body) ? service.turndown(body) : null;
}

/** Styles and event handlers: the content security policy refuses and reports them even in a document that is not shown. */
const withoutInlineCode = (html: string) =>
  html
    .replace(/<style[^]*?(<\/style>|$)/gi, "")
    .replace(/<[a-z][^<>]*>/gi, (tag) =>
      tag.replace(/\sstyle=/gi, ` ${STYLE_ATTRIBUTE}=`).replace(/\son\w+\s*=/gi, " data-removed="),
    );

/** Only addresses that posts may link to. */
function linkOf(content: string, link: HTMLElement): string {
  const address = link.getAttribute("href") ?? "";
  if (!content.trim() || !/^(https?:\/\/|mailto:)/i.test(address)) return content;
  const text = content.replace(/\s+/g, " ");
  return `[${text}](${address.replace(/[\s()<>\\]/g, encodeURIComponent).replace(/[()]/g, "\\$&")})`;
}

/** The numbers of the items of lists, each counted once: a list may have ten thousand. */
const numbers = new WeakMap<Element, Map<Element, number>>();

function numberOf(item: Element, list: Element): number {
  const first = Number(list.getAttribute("start") ?? 1);
  const numbered =
    numbers.get(list) ?? new Map([...list.children].map((each, index) => [each, first + index]));
  numbers.set(list, numbered);
  return numbered.get(item) ?? first;
}

function itemOf(content: string, item: HTMLElement): string {
  const list = item.parentElement;
  const mark = list?.nodeName === "OL" ? `${numberOf(item, list)}. ` : "- ";
  const lines = content
    .trim()
    .replace(/\n{2,}/g, "\n")
    .replaceAll("\n", `\n${" ".repeat(mark.length)}`);
  return `${mark}${lines}\n`;
}

const MAX_CELLS = 10_000;

/** A table of rows and columns; others, which only arrange a page, are read cell by cell. */
function tableOf(content: string, table: HTMLElement): string {
  const rows = [...table.querySelectorAll("tr")].map((row) => [...row.children] as HTMLElement[]);
  const columns = Math.max(0, ...rows.map((cells) => cells.length));
  if (columns < 2 || columns * rows.length > MAX_CELLS || table.querySelector("table"))
    return `\n\n${content}\n\n`;
  const lines = rows.map((cells) =>
    Array.from({ length: columns }, (_, index) => {
      const cell = cells[index];
      return cell
        ? service
            .turndown(cell)
            .split("\n")
            .map((line) => line.trim())
            .filter(Boolean)
            .join(" ")
            .replaceAll("|", "\\|")
        : "";
    }),
  );
  const [head = [], ...rest] = lines.map((cells) => `| ${cells.join(" | ")} |`);
  return `\n\n${[head, `|${" --- |".repeat(columns)}`, ...rest].join("\n")}\n\n`;
}
