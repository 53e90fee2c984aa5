import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { beforeAll, describe, expect, test } from "vitest";
import { payloads } from "../../e2e/testing/xss-payloads.ts";
import { startTestApp } from "../testing/app.ts";
import { createCategory, createPost, createUser } from "../testing/factories.ts";

const blog = await startTestApp({ siteTitle: "Field Notes" });
const SITE = "http://blog.test";

let author: Awaited<ReturnType<typeof createUser>>;
let post: Awaited<ReturnType<typeof createPost>>;
beforeAll(async () => {
  author = await createUser(blog.db, { username: "Ann Example", bio: "Writes & reads." });
  await createCategory(blog.db, "Food & Drink/Tea");
  const description = "Slate is split by hand, along its *grain*.\n\n## More\n\nText.";
  const traits = { title: "Splitting slate", category: "Food & Drink/Tea", description };
  post = await createPost(blog.db, { userId: author.id, ...traits });
  for (let index = 0; index < 3; index++) await createPost(blog.db, { userId: author.id });
});

const elementsIn = (node: Tree.ParentNode): Tree.Element[] =>
  node.childNodes.flatMap((child) => ("tagName" in child ? [child, ...elementsIn(child)] : []));

/** The head of a page as a browser parses it. */
async function headOf(path: string) {
  const { statusCode, body } = await blog.app.inject(path);
  const html = elementsIn(parse(body));
  const head = elementsIn(html.find(({ tagName }) => tagName === "head")!);
  const attributesOf = ({ attrs }: Tree.Element) =>
    Object.fromEntries(attrs.map(({ name, value }) => [name, value])) as Record<string, string>;
  const all = (tag: string) => head.filter(({ tagName }) => tagName === tag).map(attributesOf);
  const textOf = (element: Tree.Element | undefined) => (element?.childNodes[0] as Tree.TextNode)?.value;
  const meta = (name: string) => {
    const found = all("meta").filter((each) => each["property"] === name || each["name"] === name);
    expect(found.length, name).toBeLessThan(2);
    return found[0]?.["content"];
  };
  const linked = (rel: string) => all("link").filter((link) => link["rel"] === rel);
  const data = html.filter(({ attrs }) => attrs.some(({ value }) => value === "application/ld+json"));
  return {
    ...{ statusCode, body, meta, linked, html, tags: head.map(({ tagName }) => tagName) },
    canonical: linked("canonical")[0]?.["href"],
    data: data.map((element) => JSON.parse(textOf(element) ?? "") as { "@graph": any[] }),
  };
}

const nodeOf = ({ data }: Awaited<ReturnType<typeof headOf>>, type: string) =>
  data[0]?.["@graph"].find((node) => node["@type"] === type);

describe("a post's page", () => {
  test("names itself, its text, its author and a large picture to link previews", async () => {
    const head = await headOf(`/posts/details/${post.id}?utm_source=x`);
    const url = `${SITE}/posts/details/${post.id}`;
    expect(head.canonical).toBe(url);
    expect(head.meta("description")).toBe("Slate is split by hand, along its grain. Text.");
    expect(head.meta("og:description")).toBe(head.meta("description"));
    expect(head.meta("og:type")).toBe("article");
    expect(head.meta("og:title")).toBe("Splitting slate");
    expect(head.meta("og:url")).toBe(url);
    expect(head.meta("og:site_name")).toBe("Field Notes");
    expect(head.meta("og:image")).toBe(blog.services.media.urlOf(post.imageId, "card.jpg"));
    expect([head.meta("og:image:width"), head.meta("og:image:height")]).toEqual(["1200", "630"]);
    expect(head.meta("og:image:alt")).toBe("Splitting slate");
    expect(head.meta("article:published_time")).toBe(post.createdAt.toISOString());
    expect(head.meta("article:author")).toBe(`${SITE}/profile/${author.id}`);
    expect(head.meta("twitter:card")).toBe("summary_large_image");
    expect(head.meta("robots")).toBeUndefined();
  });

  test("is a BlogPosting with what schema.org requires, and has breadcrumbs", async () => {
    const head = await headOf(`/posts/details/${post.id}`);
    expect(head.data).toHaveLength(1);
    expect(head.data[0]).toMatchObject({ "@context": "https://schema.org" });
    expect(nodeOf(head, "BlogPosting")).toMatchObject({
      headline: "Splitting slate",
      image: [blog.services.media.urlOf(post.imageId, "card.jpg")],
      datePublished: post.createdAt.toISOString(),
      dateModified: post.updatedAt.toISOString(),
      author: { "@type": "Person", name: "Ann Example", url: `${SITE}/profile/${author.id}` },
      publisher: { "@type": "Organization", name: "Field Notes" },
      mainEntityOfPage: `${SITE}/posts/details/${post.id}`,
    });
    const steps = nodeOf(head, "BreadcrumbList").itemListElement;
    expect(steps.map(({ position, item }: any) => [position, item])).toEqual([
      [1, `${SITE}/`],
      [2, `${SITE}/posts`],
      [3, `${SITE}/posts/categories/Food%20%26%20Drink%2FTea`],
      [4, `${SITE}/posts/details/${post.id}`],
    ]);
  });
});

/** Properties that schema.org and search engines require of each type. */
const requiredKeys: Record<string, string[]> = {
  BlogPosting: ["headline", "image", "datePublished", "dateModified", "author", "publisher", "url"],
  Person: ["name", "url"],
  Organization: ["name", "url"],
  BreadcrumbList: ["itemListElement"],
  ListItem: ["position", "name", "item"],
  ProfilePage: ["mainEntity", "dateCreated"],
  WebSite: ["name", "url", "potentialAction"],
  SearchAction: ["target", "query-input"],
  EntryPoint: ["urlTemplate"],
};

const nodesIn = (value: unknown): Record<string, unknown>[] =>
  typeof value === "object" && value !== null
    ? [...("@type" in value ? [value] : []), ...Object.values(value).flatMap(nodesIn)]
    : [];

test("every node of the structured data has a known type and its required keys, with absolute addresses", async () => {
  const found = new Set<string>();
  const paths = ["/", "/posts", "/posts/categories/Food%20%26%20Drink%2FTea", `/profile/${author.id}`];
  for (const path of [...paths, `/posts/details/${post.id}`])
    for (const node of nodesIn((await headOf(path)).data)) {
      const type = String(node["@type"]);
      found.add(type);
      for (const key of requiredKeys[type] ?? ["no known type"])
        expect(node[key], `${path}: ${type} ${key}`).toBeTruthy();
      for (const key of ["url", "item", "urlTemplate"])
        if (key in node) expect(node[key], `${path}: ${type}`).toMatch(/^http:\/\/blog\.test\//);
    }
  expect([...found].sort()).toEqual(Object.keys(requiredKeys).sort());
});

test("the home page is a WebSite, without a search action as long as there is no search page", async () => {
  const head = await headOf("/");
  expect(head.canonical).toBe(`${SITE}/`);
  expect(head.meta("og:type")).toBe("website");
  expect(head.meta("og:title")).toBe("Field Notes");
  expect(head.meta("og:image")).toBe(`${SITE}/card.png`);
  expect((await blog.app.inject("/card.png")).statusCode).toBe(200);
  const site = nodeOf(head, "WebSite");
  expect(site).toMatchObject({ name: "Field Notes", url: `${SITE}/` });
  const hasSearch = (await blog.app.inject("/search")).statusCode === 200;
  expect("potentialAction" in site).toBe(hasSearch);
});

test("a profile is a ProfilePage about a person", async () => {
  const head = await headOf(`/profile/${author.id}`);
  expect(head.canonical).toBe(`${SITE}/profile/${author.id}`);
  expect(head.meta("og:type")).toBe("profile");
  expect(nodeOf(head, "ProfilePage")).toMatchObject({
    mainEntity: { "@type": "Person", name: "Ann Example", description: "Writes & reads." },
  });
});

test.each([
  ["/posts", "/posts"],
  ["/posts?page=1", "/posts"],
  ["/posts?page=2&x=1", "/posts?page=2"],
  ["/posts/categories/Food%20&%20Drink%2FTea", "/posts/categories/Food%20%26%20Drink%2FTea"],
])("the canonical address of %s is %s", async (path, canonical) => {
  const head = await headOf(path);
  expect(head.canonical).toBe(SITE + canonical);
  expect(nodeOf(head, "BreadcrumbList")).toBeDefined();
  expect(head.meta("robots")).toBeUndefined();
});

test.each([
  ...["/login", "/register", "/forgot-password", "/reset-password/x/y", "/users/x/verify/y"],
  ...["/posts/create-post", "/admin-dashboard", "/admin-dashboard/users-table", "/nowhere"],
  ...["/posts?page=99", "/posts/categories/Nothing", "/profile/x", "/posts/details/x"],
])("search engines do not list %s", async (path) => {
  const head = await headOf(path);
  expect(head.meta("robots")).toBe("noindex");
  expect(head.canonical).toBeUndefined();
  expect(head.data).toEqual([]);
  expect(head.meta("og:title")).toBeUndefined();
});

test.each([
  ["/search", "Search posts, people and categories."],
  ["/search?q=bread", "What the search finds for “bread”."],
])("search engines do not list %s, which has a description all the same", async (path, description) => {
  const head = await headOf(path);
  expect([head.meta("robots"), head.meta("description")]).toEqual(["noindex", description]);
});

test("no text of a user leaves its place in the head", async () => {
  const hostile = [
    ...payloads,
    '"><script>pwn()</script>',
    "</script><script>pwn()</script>",
    "<!--<script>",
  ];
  const ordinary = await headOf(`/posts/details/${post.id}`);
  const profile = await headOf(`/profile/${author.id}`);
  const scriptsOf = ({ html }: typeof ordinary) => html.filter(({ tagName }) => tagName === "script").length;
  for (const [index, payload] of hostile.entries()) {
    const text = payload.slice(0, 100);
    const names = { username: text, usernameKey: `hostile ${index}`, email: `hostile-${index}@example.com` };
    const user = await createUser(blog.db, { ...names, bio: payload });
    const traits = { title: text, category: text, description: payload.padEnd(20, ".") };
    const { id } = await createPost(blog.db, { userId: user.id, ...traits });
    const head = await headOf(`/posts/details/${id}`);
    expect(head.statusCode).toBe(200);
    expect(head.tags, payload).toEqual(ordinary.tags);
    expect(scriptsOf(head), payload).toBe(scriptsOf(ordinary));
    expect(head.meta("og:title")).toBe(text);
    expect(head.meta("article:section")).toBe(text);
    expect(nodeOf(head, "BlogPosting").headline).toBe(text);
    const about = await headOf(`/profile/${user.id}`);
    expect(about.tags, payload).toEqual(profile.tags);
    expect(scriptsOf(about), payload).toBe(scriptsOf(profile));
    expect(nodeOf(about, "ProfilePage").mainEntity).toMatchObject({ name: text, description: payload });
  }
}, 60_000);
