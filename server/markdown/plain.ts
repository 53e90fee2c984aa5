const references: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "\0": "\ufffd",
};

const escape = (text: string): string =>
  text.replace(/[&<>"'\0]/gu, (character) => references[character] ?? "");

/** Escapes the text and keeps its lines and paragraphs, in linear time: the fallback for rendering. */
export const toPlainParagraphs = (text: string): string => {
  const paragraphs: string[][] = [[]];
  for (const line of text.toWellFormed().split(/\r\n|\r|\n/u)) {
    if (line.trim() === "") paragraphs.push([]);
    else paragraphs.at(-1)?.push(escape(line));
  }
  return paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => `<p dir="auto">${lines.join("<br>\n")}</p>`)
    .join("\n");
};
