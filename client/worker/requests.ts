/** Cached for as long as its build: avatars of accounts without a photo. */
export const DEFAULT_PHOTO = "/default-photo.png";

export type Kind = "page" | "file" | "picture";

type RequestParts = Pick<Request, "method" | "url" | "mode" | "destination" | "headers">;

/** How the worker handles a request; null leaves it to the browser: API calls, forms, and requests with credentials. */
export function kindOf(request: RequestParts, origin: string): Kind | null {
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== origin) return null;
  if (request.headers.has("authorization") || request.headers.has("range")) return null;
  if (/^\/(api|graphql)(\/|$)/.test(url.pathname)) return null;
  if (isFile(url)) return "file";
  if (isPicture(url) && request.destination === "image") return "picture";
  return request.mode === "navigate" ? "page" : null;
}

export const isFile = ({ pathname, search }: URL): boolean =>
  (/^\/assets\/[\w.-]+$/.test(pathname) && search === "") || pathname === DEFAULT_PHOTO;

export const isPicture = ({ pathname }: URL): boolean => pathname.startsWith("/media/");

/** More than any page has; texts may name files, too. */
const MAX_FILES = 50;

/** The files of the build that a page names, in its head and in the state from which it hydrates. */
export const filesIn = (html: string): string[] =>
  [...new Set([...html.matchAll(/"(\/assets\/[\w.-]+)"/g)].map(([, path = ""]) => path))].slice(0, MAX_FILES);

/** Pages with content have a canonical address: no forms, tables, search results, or pages with a token. */
export const isReadablePage = ({ status, redirected, headers }: Response, html: string): boolean =>
  status === 200 &&
  !redirected &&
  (headers.get("content-type") ?? "").startsWith("text/html") &&
  !(headers.get("cache-control") ?? "").includes("no-store") &&
  html.includes('<link rel="canonical"');
