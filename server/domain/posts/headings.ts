export type Heading = { id: string; text: string; level: number };

const HEADING = /<h([23]) id="([^"]{1,200})"[^>]*>([^]*?)<\/h\1>/g;

const MAX_HEADINGS = 100;
const MAX_LENGTH = 200;

/** The first 100 headings of a text with up to 200 characters of each, from its rendered HTML. */
export function headingsIn(html: string): Heading[] {
  const found: Heading[] = [];
  for (const [, level, id = "", content = ""] of html.matchAll(HEADING)) {
    // eslint-disable-next-line regexp/no-super-linear-move -- the renderer closes each tag that it opens
    const text = decoded(content.replace(/<[^>]*>/g, "")).trim();
    found.push({ id: decoded(id), text: [...text].slice(0, MAX_LENGTH).join(""), level: Number(level) });
    if (found.length === MAX_HEADINGS) break;
  }
  return found;
}

const names: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** The renderer escapes some characters by number, and few by name. */
const decoded = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|(amp|lt|gt|quot));/gi, (_all, code: string, name: string) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : (names[name.toLowerCase()] ?? ""),
  );
