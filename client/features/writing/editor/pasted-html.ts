const FORMATTED =
  "a[href], b, strong, em, i, del, s, strike, h1, h2, h3, h4, h5, h6, ul, ol, blockquote, pre, code, table, hr";

const STYLES = [
  [/font-weight:\s*(bold|[6-9]00)/i, "strong"],
  [/font-style:\s*italic/i, "em"],
  [/text-decoration[^;]*:\s*line-through/i, "del"],
] as const;

/** The name under which elements have their styles. */
export const STYLE_ATTRIBUTE = "data-style";

const styleOf = (element: Element) => element.getAttribute(STYLE_ATTRIBUTE) ?? "";

/**
 * Brings the habits of word processors and browsers into plain HTML, in place.
 * @returns whether it has any formatting that Markdown knows
 */
export function simplify(body: HTMLElement): boolean {
  if (isSourceCode(body)) return false;
  flatten(body, "*");
  // Google Docs wraps everything into such an element.
  for (const element of body.querySelectorAll("b, strong"))
    if (/font-weight:\s*(normal|400)/i.test(styleOf(element))) element.replaceWith(...element.childNodes);
  for (const span of body.querySelectorAll(`span[${STYLE_ATTRIBUTE}]`)) nameStyles(span);
  listWordParagraphs(body);
  for (const only of body.querySelectorAll("li > p:only-child")) only.replaceWith(...only.childNodes);
  for (const pre of body.querySelectorAll("pre")) markAsCode(pre);
  flatten(body, "blockquote, ul, ol");
  return body.querySelector(FORMATTED) !== null;
}

/** Each line of a quotation or list repeats the marks of all around it; the text of any element is copied at each depth. */
const DEEPEST = { "blockquote, ul, ol": 20, "*": 50 };

function flatten(body: HTMLElement, selector: keyof typeof DEEPEST): void {
  const depths = new Map<Element, number>();
  for (const element of body.querySelectorAll(selector)) {
    const around = element.parentElement?.closest(selector);
    depths.set(element, ((around && depths.get(around)) ?? 0) + 1);
  }
  for (const [element, depth] of depths)
    if (depth > DEEPEST[selector]) element.replaceWith(...element.childNodes);
}

/** Editors of code copy their colours as well, and mean the text. */
const isSourceCode = (body: HTMLElement) =>
  /white-space:\s*pre\s*(;|$)/i.test(body.firstElementChild ? styleOf(body.firstElementChild) : "");

function nameStyles(span: Element): void {
  if (!span.textContent?.trim() || span.querySelector("p, div, ul, ol, table")) return;
  for (const [style, name] of STYLES) {
    if (!style.test(styleOf(span)) || (name === "strong" && span.closest("h1, h2, h3, h4, h5, h6"))) continue;
    const named = span.ownerDocument.createElement(name);
    named.append(...span.childNodes);
    span.append(named);
  }
}

/** Word writes items of lists as paragraphs, which begin with the mark. */
function listWordParagraphs(body: HTMLElement): void {
  for (const paragraph of body.querySelectorAll("p[class*=MsoList]")) {
    const mark = [...paragraph.querySelectorAll("span")].find((span) =>
      /mso-list:\s*ignore/i.test(styleOf(span)),
    );
    if (!mark) continue;
    const kind = /\w[.)]/.test(mark.textContent ?? "") ? "OL" : "UL";
    mark.remove();
    const before = paragraph.previousElementSibling;
    const list = before?.nodeName === kind ? before : paragraph.ownerDocument.createElement(kind);
    const item = paragraph.ownerDocument.createElement("li");
    item.append(...paragraph.childNodes);
    list.append(item);
    if (list === before) paragraph.remove();
    else paragraph.replaceWith(list);
  }
}

function markAsCode(pre: HTMLElement): void {
  if (pre.firstElementChild?.nodeName === "CODE" && pre.childNodes.length === 1) return;
  const code = pre.ownerDocument.createElement("code");
  code.textContent = pre.textContent;
  pre.replaceChildren(code);
}
