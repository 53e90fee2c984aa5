import { PAGES } from "./page-copies.ts";

export type StoredPage = { path: string; title: string };

/** @returns the pages that can be read offline, the newest first; none if the browser refuses its storage */
export async function listStoredPages(): Promise<StoredPage[]> {
  try {
    const cache = await caches.open(PAGES);
    const found = await Promise.all((await cache.keys()).map((request) => describe(cache, request)));
    return found.reverse();
  } catch {
    return [];
  }
}

async function describe(cache: Cache, request: Request): Promise<StoredPage> {
  const { pathname, search } = new URL(request.url);
  const html = (await (await cache.match(request, { ignoreVary: true }))?.text()) ?? "";
  const [, title] = /<title>([^<]+)<\/title>/.exec(html) ?? [];
  return { path: pathname + search, title: title ? unescape(title) : pathname };
}

const signs: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

const unescape = (text: string) => text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (each) => signs[each] ?? each);
