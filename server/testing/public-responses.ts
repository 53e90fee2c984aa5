import { expect } from "vitest";
import type { TestApp } from "./app.ts";
import { json, type ProcessRequest, type Process } from "./processes.ts";

type PublicRequest = ProcessRequest & { path: string };

const query = (text: string): PublicRequest => ({
  path: "/graphql",
  method: "POST",
  headers: { ...json, accept: "application/json" },
  body: JSON.stringify({ query: text }),
});

const author = "user { id username bio email profilePhoto { url } }";
const post = `id title excerpt description category image { url } likeCount likes commentCount readingMinutes viewerHasLiked viewerHasBookmarked tags { name postCount } ${author}`;
const comments = `comments(first: 3) { totalCount nodes { id text username ${author} } }`;

/** Only the gzipped form of a streamed list is cached. */
const gzip = { "accept-encoding": "gzip" };

/** Frequent requests of visitors: pages, feeds, REST and GraphQL. */
export const publicRequests = (ids: { post: string; user: string; category: string }): PublicRequest[] => [
  ...["/", "/posts", "/posts?page=1", `/posts/categories/${ids.category}`].map((path) => ({ path })),
  ...[`/posts/details/${ids.post}`, `/profile/${ids.user}`].map((path) => ({ path })),
  ...["/feed.xml", `/posts/categories/${ids.category}/atom.xml`].map((path) => ({ path })),
  ...[`/profile/${ids.user}/feed.json`].map((path) => ({ path })),
  ...["/api/posts?pageNumber=1", "/api/posts/count", "/api/categories"].map((path) => ({ path })),
  ...["/api/posts", "/api/posts?variants=true"].map((path) => ({ path, headers: gzip })),
  ...[`/api/posts/${ids.post}`, `/api/users/profile/${ids.user}`].map((path) => ({ path })),
  query(`{ posts(page: 1) { totalCount nodes { ${post} ${comments} } } postsCount }`),
  query(`{ posts(page: 1, category: "${ids.category}") { totalCount nodes { ${post} } } }`),
  query(
    `{ post(id: "${ids.post}") { ${post} ${comments} related { title } previous { title } next { title } } }`,
  ),
  query(`{ profile(id: "${ids.user}") { id username bio email posts { totalCount nodes { ${post} } } } }`),
  query(`{ categories { id title postCount posts { nodes { id title } } } }`),
  query(`{ tag(name: "slate") { name } posts(tag: "slate") { totalCount nodes { title } } }`),
  query(
    `{ post(id: "${ids.post}") { likers(first: 5) { totalCount nodes { id username url } } descriptionText } }`,
  ),
];

const nameOf = ({ path, body = "" }: PublicRequest) => `${path} ${body}`;

/** The reference, from an application without a cache. */
export async function uncachedResponse(
  blog: TestApp,
  { path, method = "GET", headers = {}, body }: PublicRequest,
) {
  const { "accept-encoding": _encoding, ...plain } = headers;
  const request = { method: method as "GET", url: path, headers: plain, ...(body && { payload: body }) };
  const injected = await blog.app.inject(request);
  return { status: injected.statusCode, text: injected.body };
}

export async function response({ ask }: Process, request: PublicRequest) {
  const { status, text } = await ask(request.path, request);
  return { status, text };
}

/** Repeats the requests until every response is cached. */
export async function warmCache(process: Process, requests: PublicRequest[]): Promise<void> {
  const uncached = async () => {
    const missed: string[] = [];
    for (const each of requests) if (!(await process.caches(each.path, each))) missed.push(nameOf(each));
    return missed;
  };
  await expect.poll(uncached, { timeout: 10_000 }).toEqual([]);
}

/** @returns the number of responses that differ from `before` */
export async function expectUncachedResponses(
  process: Process,
  blog: TestApp,
  requests: PublicRequest[],
  before: string[] = [],
) {
  let different = 0;
  for (const [index, request] of requests.entries()) {
    const actual = await response(process, request);
    expect(actual, nameOf(request)).toEqual(await uncachedResponse(blog, request));
    if (actual.text !== before[index]) different++;
  }
  return different;
}
