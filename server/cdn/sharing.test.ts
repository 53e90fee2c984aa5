import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startBlogWithPost, type BlogWithPost } from "../testing/blog-with-post.ts";
import { json, startProcess, type ProcessRequest, type Process } from "../testing/processes.ts";
import { createCdnTags } from "./tags.ts";

const SHARED = "public, max-age=0, must-revalidate, s-maxage=600, stale-while-revalidate=60";
const { ofResponse, ofPurge } = createCdnTags("http://blog.test");
const PREVIEW = "t".repeat(43);
const ask = JSON.stringify({ query: "{ postsCount }" });
const gzip = { "accept-encoding": "gzip" };

let blog: BlogWithPost["blog"];
let without: Process;
let shared: Process;
let maya: BlogWithPost["maya"];
let postId: string;
beforeAll(async () => {
  ({ blog, maya, postId } = await startBlogWithPost());
  const previewLink = { create: { token: PREVIEW } };
  await blog.db.draft.create({ data: { userId: maya.id, title: "A draft", previewLink } });
  without = await startProcess(blog);
  shared = await startProcess(blog, { sharing: { maxAge: 600, form: "webhook" } });
});
beforeEach(() => [without, shared].forEach(({ changes }) => changes.publish(["*"])));

const query = (text: string) => `/graphql?query=${encodeURIComponent(text)}`;
const titles = query("{ posts { nodes { id title } } }");
const transient = ["date", "x-request-id", "keep-alive", "connection"];
const steady = ({ headers }: { headers: object }) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !transient.includes(name)));
const sharingNames = ["cache-control", "surrogate-key", "cache-tag", "vary"];
const withoutSharing = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !sharingNames.includes(name)));

const API_VARY = "Authorization, Accept, Content-Type, X-GraphQL-Cost";
const publicPaths: [string, () => string, string | undefined][] = [
  ["the home page", () => "/", "Accept-Encoding"],
  ["a post", () => `/posts/details/${postId}`, "Accept-Encoding"],
  ["a feed, too short to be compressed", () => "/feed.xml", undefined],
  ["a post of REST", () => `/api/posts/${postId}`, API_VARY],
  ["a page of REST", () => "/api/posts?pageNumber=1", API_VARY],
  ["a query", () => titles, API_VARY],
  ["a query at an encoded address", () => titles.replace("graphql", "%67raphql"), API_VARY],
];

describe.each(publicPaths)("%s", (_name, pathOf, vary) => {
  test("may be stored by a CDN, uncached, cached, by HEAD and as 304; nothing else differs", async () => {
    const path = pathOf();
    const plain = steady(await without.ask(path, { headers: gzip }));
    const first = await shared.ask(path, { headers: gzip });
    expect(plain).toMatchObject({ "cache-control": "no-cache" });
    expect(plain).not.toHaveProperty("surrogate-key");
    expect(plain).not.toHaveProperty("cache-tag");
    expect(withoutSharing(steady(first))).toEqual(withoutSharing(plain));
    expect(first.headers["cache-control"]).toBe(SHARED);
    expect(first.headers["cache-tag"]?.split(",")).toEqual(first.headers["surrogate-key"]?.split(" "));
    const varies = first.headers["vary"]?.replace(/, Accept-Encoding|Accept-Encoding, /, "");
    expect(varies?.split(", ").sort()).toEqual(vary?.split(", ").sort());

    const knowing = { headers: { ...gzip, "if-none-match": first.headers["etag"] ?? "" } };
    const again = await shared.ask(path, { headers: gzip });
    expect(steady(again)).toEqual(steady(first));
    const notModified = await shared.ask(path, knowing);
    shared.changes.publish(["*"]);
    const built = await shared.ask(path, knowing);
    for (const { status, headers } of [notModified, built]) {
      expect(status).toBe(304);
      for (const name of ["cache-control", "surrogate-key", "cache-tag"])
        expect(headers[name], name).toBe(first.headers[name]);
    }
    await shared.ask(path, { headers: gzip });
    const head = await shared.ask(path, { method: "HEAD", headers: gzip });
    if (!path.includes("raphql")) expect(steady(head)).toEqual(steady(first));
  });
});

test("files of the build are sent as without a CDN", async () => {
  const files = ["/favicon.ico", "/favicon.svg", "/default-photo.png", "/card.png", "/manifest.webmanifest"];
  for (const path of [...files, "/service-worker.js", "/robots.txt"]) {
    const [file, plain] = [await shared.ask(path), await without.ask(path)];
    expect(file.status, path).toBe(200);
    expect(file.raw.equals(plain.raw), path).toBe(true);
    expect(file.headers["content-length"], path).toBe(plain.headers["content-length"]);
  }
});

test("the tags are those of the response's dependencies", async () => {
  const tagsOf = async (path: string) => (await shared.ask(path)).headers["surrogate-key"]?.split(" ").sort();
  const post = [`content:${postId}`, `byline:${maya.id}`] as const;
  expect(await tagsOf(query(`{ post(id: "${postId}") { title user { username } } }`))).toEqual(
    ofResponse(new Set(post)).sort(),
  );
  expect(await tagsOf("/api/categories")).toEqual(ofResponse(new Set(["categories"])).sort());
  const [, tagOfPost = "", tagOfContent = ""] = ofPurge([`post:${postId}`, `content:${postId}`]);
  for (const path of ["/", "/posts", `/posts/details/${postId}`, "/posts/categories/Craft"])
    expect(await tagsOf(path), path).toContain(tagOfPost);
  expect(await tagsOf("/feed.xml")).toContain(tagOfContent);
});

describe("a CDN may not store", () => {
  const unshared: [string, number, () => string, ProcessRequest?][] = [
    ["a page for a token", 200, () => "/", { headers: { authorization: "Bearer x" } }],
    ["a page for a cookie", 200, () => "/", { headers: { cookie: "a=b" } }],
    ["a 404 page", 404, () => "/nowhere"],
    ["a feed of nothing", 404, () => "/posts/categories/Nothing/feed.xml"],
    ["a missing file", 404, () => "/favicon.gif"],
    ["a 404 of REST", 404, () => "/api/posts/00000000-0000-4000-8000-000000000000"],
    ["a GraphQL error", 200, () => query("{ users { totalCount } }")],
    ["a GraphQL error beside data", 200, () => query(`{ post(id: "12") { id } postsCount }`)],
    ["a search", 200, () => "/search?q=slate"],
    ["a page with a token in its URL", 200, () => `/reset-password/${maya.id}/def`],
    ["a preview", 200, () => `/preview/${PREVIEW}`],
    ["a list that is streamed", 200, () => "/api/posts", { headers: gzip }],
    ["the explorer", 200, () => "/graphql", { headers: { accept: "text/html" } }],
    ["a query by POST", 200, () => "/graphql", { method: "POST", headers: json, body: ask }],
    ["health", 200, () => "/health"],
  ];

  test.each(unshared)("%s", async (_name, expected, path, request) => {
    for (const { status, headers } of [
      await shared.ask(path(), request),
      await shared.ask(path(), request),
    ]) {
      expect(status).toBe(expected);
      expect(headers["cache-control"]).toMatch(/^private, no-(cache|store)$/);
      expect(headers).not.toHaveProperty("surrogate-key");
      expect(headers).not.toHaveProperty("cache-tag");
    }
  });

  test("a response to an account, or its refusal", async () => {
    const headers = { authorization: `Bearer ${maya.token}` };
    for (const path of [`/api/posts/${postId}`, titles])
      expect((await shared.ask(path, { headers })).headers["cache-control"]).toBe("private, no-store");
  });

  test("a response that was invalidated while it was built, nor without notifications", async () => {
    const path = `/api/posts/${postId}`;
    const { postsById } = shared.services.queries;
    const spy = vi.spyOn(shared.services.queries, "postsById").mockImplementation(async (...input) => {
      const posts = await postsById(...input);
      shared.changes.publish([`post:${postId}`]);
      return posts;
    });
    const stale = await shared.ask(path);
    spy.mockRestore();
    expect(stale.headers["cache-control"]).toBe("private, no-cache");
    expect((await shared.ask(path)).headers["cache-control"]).toBe(SHARED);
    shared.changes.publish(["*"]);
    const isListening = vi.spyOn(shared.changes, "isListening").mockReturnValue(false);
    expect((await shared.ask(path)).headers["cache-control"]).toBe("private, no-cache");
    isListening.mockRestore();
  });
});

test("what has a time already, for which it may be stored, keeps it", async () => {
  for (const [path, control] of [
    ["/sitemap.xml", "public, max-age=3600"],
    ["/robots.txt", "public, max-age=86400"],
  ] as const)
    for (const { headers } of [await shared.ask(path), await shared.ask(path)])
      expect(headers["cache-control"], path).toBe(control);
});

test("the header for the cost has a variant of its own", async () => {
  const { text } = await shared.ask(titles);
  const { headers, text: withCost } = await shared.ask(titles, { headers: { "x-graphql-cost": "1" } });
  expect(withCost).not.toBe(text);
  expect(headers["vary"]).toContain("X-GraphQL-Cost");
});

test("with Cloudflare, which ignores Vary, only pages and feeds may be stored", async () => {
  const process = await startProcess(blog, { sharing: { maxAge: 60, form: "cloudflare" } });
  for (const path of ["/", "/feed.xml"])
    expect((await process.ask(path, { headers: gzip })).headers["cache-control"]).toContain("s-maxage=60");
  for (const path of [titles, "/api/categories"])
    expect((await process.ask(path)).headers["cache-control"]).toBe("private, no-cache");
});

test("with restricted origins a response varies by Origin", async () => {
  const corsOrigins = ["https://a.test"];
  const sharing = { maxAge: 60, form: "webhook" } as const;
  const process = await startProcess(blog, { corsOrigins, sharing });
  const { headers } = await process.ask("/api/categories");
  expect(headers["cache-control"]).toContain("s-maxage");
  expect(headers["vary"]).toContain("Origin");
  const cors = await process.ask("/api/categories", { headers: { origin: "https://a.test" } });
  expect(cors.headers["cache-control"]).toBe("private, no-cache");
});
