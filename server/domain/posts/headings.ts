export type Heading = { id: string; text: string; level: number };

const HEADING = /<h([23]) id="([^"]*)"[^>]*>([^]*?)<\/h\1>/g;

/** The headings of a text, from its rendered HTML. */
export const headingsIn = (html: string): Heading[] =>
  [...html.matchAll(HEADING)].map(([, level, id = "", content = ""]) => ({
    id: decoded(id),
    text: decoded(content.replace(/<[^>]*>/g, "")).trim(),
    level: Number(level),
  }));

const names: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** The renderer escapes some characters by number, and few by name. */
const decoded = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|(amp|lt|gt|quot));/gi, (_all, code: string, name: string) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : (names[name.toLowerCase()] ?? ""),
  );
