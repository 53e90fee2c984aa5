import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PAGES, PICTURES } from "../lib/offline/page-copies.ts";
import { findPage, storePage, storeShell, storeVisited } from "./copies.ts";

const site = "https://blog.test";
const address = (request: RequestInfo | URL) =>
  new URL(request instanceof Request ? request.url : request, site).href;

/** A fake Cache, which lists its requests in insertion order. */
class MemoryCache {
  entries = new Map<string, Response>();
  put = async (request: RequestInfo, response: Response) => {
    this.entries.delete(address(request));
    this.entries.set(address(request), response);
  };
  match = async (request: RequestInfo) => this.entries.get(address(request))?.clone();
  delete = async (request: RequestInfo) => this.entries.delete(address(request));
  keys = async () => [...this.entries.keys()].map((url) => new Request(url));
  addAll = async (paths: string[]) => {
    for (const path of paths) await this.put(path, await fetch(path));
  };
}
let stored: Map<string, MemoryCache>;
const open = (name: string) => {
  const cache = stored.get(name) ?? new MemoryCache();
  stored.set(name, cache);
  return cache;
};
const pathsIn = (name: string) => [...open(name).entries.keys()].map((url) => url.replace(site, ""));

let served: Map<string, () => Response>;
const requested: string[] = [];

const html = (files: string[] = []) =>
  new Response(`<link rel="canonical" href="x">${files.map((file) => `"${file}"`).join()}`, {
    headers: { "content-type": "text/html", date: new Date().toUTCString() },
  });

beforeEach(() => {
  stored = new Map();
  served = new Map();
  requested.length = 0;
  vi.stubGlobal("caches", {
    open: async (name: string) => open(name),
    match: async (request: RequestInfo) => {
      for (const cache of stored.values()) {
        const found = await cache.match(request);
        if (found) return found;
      }
      return undefined;
    },
  });
  vi.stubGlobal("fetch", async (request: RequestInfo) => {
    requested.push(address(request).replace(site, ""));
    return served.get(address(request).replace(site, ""))?.() ?? new Response("", { status: 404 });
  });
});
afterEach(() => vi.unstubAllGlobals());

test("stores the newest 30 pages with the files that they name", async () => {
  served.set("/assets/a.js", () => new Response("a"));
  for (let number = 0; number < 32; number++) await storePage(`${site}/${number}`, html(["/assets/a.js"]));
  await storePage(`${site}/5#comments`, html());
  expect(pathsIn(PAGES)).toHaveLength(30);
  expect(pathsIn(PAGES).slice(-2)).toEqual(["/31", "/5"]);
  expect(requested).toEqual(["/assets/a.js"]);
});

test("a deleted page loses its copy, a temporarily unavailable one does not", async () => {
  await storePage(`${site}/a`, html());
  await storePage(`${site}/b`, html());
  await storePage(`${site}/a`, new Response("", { status: 503 }));
  await storePage(`${site}/b`, new Response("", { status: 404 }));
  expect(pathsIn(PAGES)).toEqual(["/a"]);
});

test("stores the current page with its pictures, without loading recent files again", async () => {
  const picture = "/media/ab/1/480.webp";
  served.set("/a", () => html());
  served.set(picture, () => new Response("picture"));
  const files = [picture, "https://example.org/assets/x.js", "/graphql", "/assets/gone.js"];
  await storeVisited(`${site}/a`, files);
  await storeVisited(`${site}/a`, files);
  expect(requested).toEqual(["/a", picture, "/assets/gone.js", "/assets/gone.js"]);
  expect(pathsIn(PICTURES)).toEqual([picture]);
});

test("deletes the oldest pictures beyond 30 MB", async () => {
  for (let number = 0; number < 5; number++)
    await open(PICTURES).put(
      `/media/${number}`,
      new Response("", { headers: { "content-length": "9000000" } }),
    );
  await storePage(`${site}/a`, html());
  expect(pathsIn(PICTURES)).toEqual(["/media/2", "/media/3", "/media/4"]);
});

test("shows the offline page for all others, and an error if the browser has lost it", async () => {
  expect((await findPage(`${site}/b`)).type).toBe("error");
  served.set("/offline", html);
  served.set("/default-photo.png", () => new Response("photo"));
  await storeShell("1");
  expect((await findPage(`${site}/b#top`)).status).toBe(200);
  vi.stubGlobal("caches", { match: () => Promise.reject(new Error("no storage")) });
  expect((await findPage(`${site}/b`)).type).toBe("error");
});
