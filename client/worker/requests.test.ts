import { expect, test } from "vitest";
import { filesIn, isReadablePage, kindOf } from "./requests.ts";

const origin = "https://blog.test";

type Given = { mode?: string; destination?: string; method?: string; headers?: Record<string, string> };

const classify = (
  path: string,
  { mode = "cors", destination = "", method = "GET", headers = {} }: Given = {},
) =>
  kindOf(
    {
      url: new URL(path, origin).href,
      method,
      mode: mode as RequestMode,
      destination: destination as RequestDestination,
      headers: new Headers(headers),
    },
    origin,
  );
const page = { mode: "navigate", destination: "document" };
const image = { mode: "no-cors", destination: "image" };

test.each([
  ["/", page, "page"],
  ["/posts/details/1?x=2", page, "page"],
  ["/apicture", page, "page"],
  ["/assets/frame-1.js", {}, "file"],
  ["/default-photo.png", image, "file"],
  ["/media/ab/1/480.webp", image, "picture"],
] as const)("%s is handled", (path, given, kind) => {
  expect(classify(path, given)).toBe(kind);
});

test.each([
  ["/graphql", page],
  ["/graphql?query={posts{totalCount}}", {}],
  ["/api", page],
  ["/api/posts", {}],
  ["/api/docs", page],
  ["/login", { ...page, method: "POST" }],
  ["/", { ...page, headers: { authorization: "Bearer x" } }],
  ["/media/ab/1/480.webp", { ...image, headers: { range: "bytes=0-" } }],
  ["/media/ab/1/480.webp", {}],
  ["/posts", {}],
  ["/feed.xml", {}],
  ["/assets/frame-1.js?x=1", {}],
  ["/assets/%2e%2e/graphql", {}],
  ["https://example.org/", page],
  ["https://example.org/assets/x.js", {}],
] as const)("%s %j is left to the browser", (path, given) => {
  expect(classify(path, given)).toBeNull();
});

const html = { "content-type": "text/html; charset=utf-8" };
const canonical = '<link rel="canonical" href="https://blog.test/"/>';

test.each([
  ["a page with content", canonical, { headers: html }, true],
  ["a page without a canonical address", "<title>Login</title>", { headers: html }, false],
  ["a page with a token", canonical, { headers: { ...html, "cache-control": "no-store" } }, false],
  ["a page that is not found", canonical, { headers: html, status: 404 }, false],
  ["a text that is no page", canonical, { headers: { "content-type": "text/plain" } }, false],
])("%s: stored %#", (_what, body, init, isStored) => {
  expect(isReadablePage(new Response(body, init), body)).toBe(isStored);
});

test("finds the files of a page in its head and in its state", () => {
  const body = `<link href="/assets/a.css"/><script>{"script":"/assets/b.js","x":"/assets/a.css"}</script>"/media/x"`;
  expect(filesIn(body)).toEqual(["/assets/a.css", "/assets/b.js"]);
});

test("takes no other address in a text for a file, and only so many", () => {
  const others = [
    "/assets/../graphql?query={posts{totalCount}}",
    "/assets/%2e%2e/api/posts",
    "/assets/a.js?1",
  ];
  const many = Array.from({ length: 60 }, (_, n) => `/assets/${n}.js`);
  expect(filesIn(others.map((path) => `<a href="${path}">`).join(""))).toEqual([]);
  expect(filesIn(many.map((path) => `"${path}"`).join(""))).toHaveLength(50);
});
