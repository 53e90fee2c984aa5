import { PAGES, PICTURES } from "../lib/offline/page-copies.ts";
import { DEFAULT_PHOTO, filesIn, isFile, isPicture, isReadablePage } from "./requests.ts";

export const FILE_CACHE = "blog-files";
const SHELL = "blog-shell-";
const OFFLINE = "/offline";

/** Older copies are deleted beyond these limits. */
const LIMITS = {
  [PAGES]: { count: 30, bytes: Infinity },
  [FILE_CACHE]: { count: 200, bytes: Infinity },
  [PICTURES]: { count: 120, bytes: 30_000_000 },
};

/** Milliseconds for which a page that was just loaded is not loaded again to be stored. */
const FRESH = 60_000;

/** Stores the page for URLs that are not stored, and its files. @throws if the server does not send them all */
export async function storeShell(build: string): Promise<void> {
  const response = await fetch(OFFLINE);
  if (!response.ok) throw new Error(`${OFFLINE} has status ${response.status}`);
  const html = await response.clone().text();
  const cache = await caches.open(SHELL + build);
  await cache.addAll([DEFAULT_PHOTO, ...filesIn(html)]);
  await cache.put(OFFLINE, response);
}

/** Low priority: the page that a user waits for loads first. */
const fetchQuietly = (address: string) =>
  fetch(address, { priority: "low", signal: AbortSignal.timeout(20_000) });

export async function dropOtherShells(build: string): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(SHELL) && name !== SHELL + build);
  await Promise.all(names.map((name) => caches.delete(name)));
}

export const findCopy = (address: Request | string): Promise<Response | undefined> =>
  caches.match(address, { ignoreVary: true }).catch(() => undefined);

export const findPage = async (address: string): Promise<Response> =>
  (await findCopy(keyOf(address))) ?? (await findCopy(OFFLINE)) ?? Response.error();

const keyOf = (address: string) => address.replace(/#.*/, "");

export async function storePage(address: string, response: Response): Promise<void> {
  if (![200, 404, 410].includes(response.status)) return;
  const html = await response.clone().text();
  const cache = await caches.open(PAGES);
  if (!isReadablePage(response, html)) return void (await cache.delete(keyOf(address)));
  // A request that is put again becomes the newest.
  await cache.put(keyOf(address), response);
  for (const path of filesIn(html)) await storeFile(FILE_CACHE, path);
  for (const [name, limit] of Object.entries(LIMITS)) await trim(name, limit);
}

export async function storeVisited(page: string, files: string[]): Promise<void> {
  const copy = await (await caches.open(PAGES)).match(keyOf(page), { ignoreVary: true });
  const age = Date.now() - Date.parse(copy?.headers.get("date") ?? "");
  if (!(age < FRESH)) await storePage(page, await fetchQuietly(page));
  for (const file of files) {
    const url = new URL(file, page);
    if (url.origin !== new URL(page).origin) continue;
    if (isFile(url)) await storeFile(FILE_CACHE, url.href);
    if (isPicture(url)) await storeFile(PICTURES, url.href);
  }
}

async function storeFile(name: string, address: string): Promise<void> {
  if (await findCopy(address)) return;
  const response = await fetchQuietly(address);
  if (response.ok) await (await caches.open(name)).put(address, response);
}

async function trim(name: string, { count, bytes }: { count: number; bytes: number }): Promise<void> {
  const cache = await caches.open(name);
  const newestFirst = [...(await cache.keys())].reverse();
  let left = bytes;
  for (const [index, request] of newestFirst.entries()) {
    const copy = Number.isFinite(bytes) ? await cache.match(request, { ignoreVary: true }) : undefined;
    left -= Number(copy?.headers.get("content-length") ?? 0);
    if (index >= count || left < 0) await cache.delete(request);
  }
}
