/** A start tag as the renderer of texts writes it, with quoted values. */
const startTag = /<[a-z][a-z0-9]*(?:\s+[a-z-]+(?:="[^"]*")?)*\s*\/?>/g;
const address = /(\s(?:href|src)=")([^"]*)"/g;
const addresses = /(\ssrcset=")([^"]*)"/g;

/** Completes relative URLs in rendered HTML, for readers that show it elsewhere. @param page where it is shown */
export function withAbsoluteUrls(html: string, page: string): string {
  const { origin, protocol } = new URL(page);
  const absolute = (url: string) => completed(url, { page, origin, protocol });
  return html.replace(startTag, (tag) =>
    tag
      .replace(address, (_all, start: string, url: string) => `${start}${absolute(url)}"`)
      .replace(addresses, (_all, start: string, list: string) => {
        const urls = list.split(", ").map(absolute);
        return `${start}${urls.join(", ")}"`;
      }),
  );
}

type Base = { page: string; origin: string; protocol: string };

/** Keeps character references as they are, hence no parsing. */
function completed(url: string, { page, origin, protocol }: Base): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return url;
  if (url.startsWith("//")) return protocol + url;
  if (url.startsWith("/")) return origin + url;
  if (url === "" || url.startsWith("#") || url.startsWith("?")) return page + url;
  return page.slice(0, page.lastIndexOf("/") + 1) + url;
}
