const references: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Everything but the characters of XML 1.0, which no reference can express. */
const invalid = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]+/g;

export const escapeXml = (text: string) =>
  text
    .toWellFormed()
    .replace(invalid, "")
    .replace(/[&<>"]/g, (sign) => references[sign] ?? "");

type Attributes = Record<string, string | number>;

/** An element with escaped text and attributes; XML as content is an array. */
export function element(name: string, content: string | string[] = [], attributes: Attributes = {}): string {
  const start = [
    name,
    ...Object.entries(attributes).map(([key, value]) => `${key}="${escapeXml(`${value}`)}"`),
  ];
  const inner = typeof content === "string" ? escapeXml(content) : content.join("");
  return inner === "" ? `<${start.join(" ")}/>` : `<${start.join(" ")}>${inner}</${name}>`;
}

export const XML_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n';
