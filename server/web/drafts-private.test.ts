import { beforeAll, describe, expect, test } from "vitest";
import { sendInRest, ids } from "../testing/parity.ts";
import { rows } from "../testing/permission-rows.ts";
import { startRouteInventory } from "../testing/route-inventory.ts";
import {
  expectNoSecret,
  HIDDEN,
  otherTokens,
  SECRET,
  secretPicture,
  seedSecretDraft,
} from "../testing/secret-draft.ts";

// Requests every GET route: only its author may get any part of a draft.

let blog: Awaited<ReturnType<typeof startRouteInventory>>["blog"];
let routes: Awaited<ReturnType<typeof startRouteInventory>>["routes"];
beforeAll(async () => {
  ({ blog, routes } = await startRouteInventory());
  await seedSecretDraft(blog);
});

const get = (url: string, token: string | null = null) =>
  blog.app.inject({ method: "GET", url, headers: token ? { authorization: `Bearer ${token}` } : {} });

/** @returns the last status */
async function expectPrivate(path: string): Promise<number> {
  let status = 0;
  for (const token of otherTokens) {
    const response = await get(path, token);
    expectNoSecret(response.body, decodeURIComponent(path));
    status = response.statusCode;
  }
  return status;
}

const parameters: [pattern: RegExp, values: Record<string, string[]>][] = [
  [/^\/api\/(auth|users|password)\/|^\/profile\//, { id: [ids.maya], token: ["x"] }],
  [/^\/api\/posts\//, { id: [ids.post, ids.draft] }],
  [/^\/posts\//, { title: ["Craft", HIDDEN], tag: ["slate", HIDDEN] }],
  [/^\/sitemap\//, { page: ["1"] }],
  [/\*$/, { "*": [ids.draft, `${ids.draft.slice(0, 2)}/${ids.draft}/picture.jpg`, SECRET] }],
];

const queries: Record<string, string> = {
  "/api/deletions": `?since=${new Date().toISOString()}`,
  "/oembed": `?url=http://blog.test/posts/details/${ids.post}`,
};

/** The paths of a route. */
function pathsOf(url: string): string[] {
  const name = /:(\w+)|\*$/.exec(url)?.[0].replace(":", "");
  if (name === undefined) return [url + (queries[url] ?? "")];
  const values = parameters.find(([pattern]) => pattern.test(url))?.[1][name] ?? [];
  return values.flatMap((value) => pathsOf(url.replace(name === "*" ? /\*$/ : `:${name}`, value)));
}

/** With a wrong token or an unknown address. */
const isRefused = (path: string) =>
  /\/x$/.test(path) || path.includes(ids.draft) || path.includes(SECRET) || path.includes(HIDDEN);

test("no GET route shows anything of a draft", async () => {
  const reads = routes.filter(({ method, url }) => method === "GET" && !/\/assets\/.*[^*]$/.test(url));
  const refused: string[] = [];
  for (const { url } of reads) {
    const paths = pathsOf(url);
    expect(paths, url).not.toEqual([]);
    for (const path of paths) if ((await expectPrivate(path)) !== 200 && !isRefused(path)) refused.push(path);
  }
  expect(refused).toEqual(["/metrics", "/graphql", "/api"]);
  expect(reads.length).toBeGreaterThan(40);
});

test.each([
  ...["/api/posts?category=", "/api/posts?search=", "/api/posts?limit=100&category="].map(
    (each) => each + HIDDEN,
  ),
  ...["/api/posts?limit=100", "/api/posts?pageNumber=1", "/api/posts?variants=true&limit=5"],
  "/api/posts?updatedAfter=2000-01-01T00:00:00Z",
  ...["/api/comments?limit=100", "/api/users/profile?limit=100", "/api/categories"],
])("%s shows nothing of a draft", async (path) => {
  expect(await expectPrivate(path)).toBe(200);
});

const writes = rows.flatMap(([, , rest]) =>
  rest && rest.method !== "GET" ? [{ rest, name: `${rest.method} /api${rest.path}` }] : [],
);

test.each(writes)("$name shows nothing of a draft", async ({ rest, name }) => {
  for (const token of otherTokens) {
    const { text, status } = await sendInRest(blog, rest, token);
    expectNoSecret(text, name);
    if (status < 300) await seedSecretDraft(blog);
  }
});

describe("no page shows anything of a draft:", () => {
  test.each([
    ...["/", "/posts", "/posts?page=1", "/drafts", "/drafts/new", "/bookmarks", "/following"],
    ...[
      "/posts/categories/Craft",
      `/posts/categories/${HIDDEN}`,
      "/posts/tags/slate",
      `/posts/tags/${HIDDEN}`,
    ],
    ...[`/search?q=${HIDDEN}`, `/search?q=tag:${HIDDEN}`, `/search?q=${SECRET}`],
    ...[ids.post, ids.draft, ids.unshared].flatMap((id) => [
      ...[`/posts/details/${id}`, `/posts/history/${id}`, `/posts/edit/${id}`, `/drafts/${id}`],
      ...[`/preview/${id}`, `/oembed?url=${encodeURIComponent(`http://blog.test/posts/details/${id}`)}`],
    ]),
    ...[`/profile/${ids.maya}`, `/oembed?url=${encodeURIComponent(`http://blog.test/drafts/${ids.draft}`)}`],
  ])("%s", async (path) => {
    expect(await expectPrivate(path)).toBeOneOf([200, 404]);
  });
});

test("no picture has the id of a draft, a post or a user, and no folder is listed", async () => {
  expect((await get(secretPicture)).statusCode).toBe(200);
  const files = ["picture.jpg", "card.jpg", "480.webp", "480.avif", ""];
  for (const id of [ids.draft, ids.unshared, ids.post, ids.maya, ids.revision, ids.session, ids.nobody])
    for (const file of files) {
      const { statusCode } = await get(`/media/${id.slice(0, 2)}/${id}/${file}`);
      expect(statusCode, `${id}/${file}`).toBe(404);
    }
  for (const folder of ["", "00", "00/", secretPicture.replace("/media/", "").replace("picture.jpg", "")]) {
    const { statusCode, body } = await get(`/media/${folder}`);
    expect([statusCode, body.includes(ids.picture)], folder).toEqual([404, false]);
  }
});
