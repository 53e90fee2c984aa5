/** Larger texts than a post may have are pasted as they are. */
const MAX_HTML = 2_000_000;

/** Formatted text as Markdown. The code for it is loaded when it is needed; without it the text loses its formatting. */
export async function markdownOf(html: string, text: string): Promise<string> {
  if (html.length > MAX_HTML) return text;
  try {
    const { toMarkdown } = await import("./html-to-markdown.ts");
    return toMarkdown(html) ?? text;
  } catch {
    return text;
  }
}
