import { parseAtomFeed, parseJsonFeed, parseRssFeed } from "feedsmith";
import pg from "pg";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { allPayloads } from "../../e2e/testing/markdown-payloads.ts";
import { renderMarkdown } from "../markdown/render.ts";
import { startTestApp } from "../testing/app.ts";
import { createCategory, createPost, createTag, createUser } from "../testing/factories.ts";
import { isAllowed } from "../testing/markdown/allowed-html.ts";
import { withAbsoluteUrls } from "./absolute-urls.ts";

const blog = await startTestApp({ siteTitle: "Ann's <Notes> & more" });
const SITE = "http://blog.test";
const TITLE = "Food & Drink/Tea";
const HOSTILE = `<script>alert(1)</script> & "]]>" 'it' \u0001\u{1f600}`;

let author: Awaited<ReturnType<typeof createUser>>;
beforeAll(async () => {
  author = await createUser(blog.db, { username: "Zoë <b>&</b>" });
  await createCategory(blog.db, TITLE);
  await createCategory(blog.db, "Empty");
  for (let minute = 0; minute < 32; minute++) {
    const createdAt = new Date(Date.UTC(2026, 0, 1, 12, minute));
    const post = { createdAt, updatedAt: createdAt, category: TITLE, title: `Post ${minute}` };
    await createPost(blog.db, { userId: author.id, ...post });
  }
  const newest = await createPost(blog.db, {
    userId: (await createUser(blog.db)).id,
    title: HOSTILE,
    description: `${HOSTILE} and words.`,
    category: "Other",
  });
  const html = `<p>${"&#x3C;script>"} &amp; "]]>"</p><p><a href="#post-fn-1">1</a> <a href="/posts">all</a></p>`;
  await storeHtml(newest.id, html);
});

function storeHtml(postId: string, html: string) {
  const rendered = { html, version: 1 };
  return blog.db.postHtml.upsert({ where: { postId }, create: { postId, ...rendered }, update: rendered });
}

const get = (url: string, headers = {}) => blog.app.inject({ url, headers });

type Item = Record<
  "id" | "url" | "title" | "author" | "category" | "html" | "summary" | "picture",
  unknown
> & {
  published: number;
};
type Read = { title: unknown; home: unknown; self: unknown; items: Item[] };

const plain = (text: any) => (typeof text === "object" ? text.value : text) as unknown;

/** What a browser shows of HTML that has no elements. */
const textOfHtml = (html: string) => {
  expect(html).not.toMatch(/<\w/);
  return html.replace(
    /&(lt|gt|quot|amp);/g,
    (_, name) => ({ lt: "<", gt: ">", quot: '"' })[name as "lt"] ?? "&",
  );
};

// The fields of each format that carry the same meaning, as a feed reader finds them.
const readers: Record<string, (text: string) => Read> = {
  "feed.xml": (text) => {
    const { items = [], ...feed } = parseRssFeed(text) as any;
    expect(textOfHtml(feed.description)).not.toContain("&lt;");
    return {
      ...{ title: feed.title, home: feed.link, self: feed.atom.links[0].href },
      items: items.map((item: any) => ({
        ...{ id: item.guid.value, url: item.link, title: item.title, author: item.dc.creators[0] },
        ...{
          category: item.categories[0].name,
          html: item.content.encoded,
          summary: textOfHtml(item.description),
        },
        ...{ published: Date.parse(item.pubDate), picture: item.enclosures[0].url },
      })),
    };
  },
  "atom.xml": (text) => {
    const { entries = [], ...feed } = parseAtomFeed(text) as any;
    const linked = (links: any[], rel: string) => links.find((link) => link.rel === rel)?.href as string;
    return {
      ...{
        title: plain(feed.title),
        home: linked(feed.links, "alternate"),
        self: linked(feed.links, "self"),
      },
      items: entries.map((entry: any) => ({
        ...{ id: entry.id, url: linked(entry.links, "alternate"), title: plain(entry.title) },
        ...{ author: entry.authors[0].name, category: entry.categories[0].term },
        ...{ html: plain(entry.content), summary: plain(entry.summary) },
        ...{ published: Date.parse(entry.published), picture: linked(entry.links, "enclosure") },
      })),
    };
  },
  "feed.json": (text) => {
    const { items = [], ...feed } = parseJsonFeed(text) as any;
    return {
      ...{ title: feed.title, home: feed.home_page_url, self: feed.feed_url },
      items: items.map((item: any) => ({
        ...{ id: item.id, url: item.url, title: item.title, author: item.authors[0].name },
        ...{ category: item.tags[0], html: item.content_html, summary: item.summary },
        ...{ published: Date.parse(item.date_published), picture: item.attachments[0].url },
      })),
    };
  },
};

/** Whole seconds, since RSS has no fractions; XML cannot hold control characters. */
const comparable = ({ items }: Read) =>
  items.map((item) => {
    const texts = Object.entries(item).map(([key, value]) => [key, String(value).replaceAll("\u0001", "")]);
    return { ...Object.fromEntries(texts), published: Math.floor(item.published / 1_000) };
  });

const folders = () => ["", `/posts/categories/${encodeURIComponent(TITLE)}`, `/profile/${author.id}`];

test("a feed reader finds the same posts in all three formats, newest first", async () => {
  for (const folder of folders()) {
    const read: Read[] = [];
    for (const [file, parse] of Object.entries(readers)) {
      const response = await get(`${folder}/${file}`);
      expect(response.statusCode, folder + file).toBe(200);
      const feed = parse(response.body);
      expect(feed.self).toBe(`${SITE}${folder}/${file}`);
      expect(feed.home).toBe(`${SITE}${folder || "/"}`);
      expect(feed.title).toContain("Ann's <Notes> & more");
      expect(feed.items).toHaveLength(30);
      read.push(feed);
    }
    const [rss, atom, json] = read.map(comparable);
    expect(atom).toEqual(rss);
    expect(json).toEqual(rss);
    const times = (rss ?? []).map(({ published }) => published);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  }
});

test("a post is whole: text as HTML with absolute URLs, picture, author, and no markup of its own making", async () => {
  const { items } = readers["feed.xml"]!((await get("/feed.xml")).body);
  const [newest] = items;
  const url = String(newest?.url);
  expect(newest).toMatchObject({ title: HOSTILE.replace("\u0001", ""), category: "Other" });
  expect(url).toMatch(/^http:\/\/blog\.test\/posts\/details\/[0-9a-f-]{36}$/);
  expect(newest?.id).toBe(`urn:uuid:${url.slice(-36)}`);
  expect(newest?.picture).toMatch(/^http:\/\/blog\.test\/media\/.*\/picture\.jpg$/);
  expect(newest?.html).toBe(
    `<p>&#x3C;script> &amp; "]]>"</p><p><a href="${url}#post-fn-1">1</a> <a href="${SITE}/posts">all</a></p>`,
  );
  expect(items[1]?.author).toBe("Zoë <b>&</b>");
});

test("no payload in a text becomes markup in any format", async () => {
  const { id: userId } = await createUser(blog.db);
  for (let first = 0; first < allPayloads.length; first += 20) {
    const batch = allPayloads.slice(first, first + 20);
    const { id: postId } = await createPost(blog.db, { userId });
    const html = renderMarkdown(batch.map((each) => `> ${each}\n\n- ${each}`).join("\n\n"));
    await storeHtml(postId, html);
  }
  for (const [file, parse] of Object.entries(readers)) {
    const { items } = parse((await get(`/profile/${userId}/${file}`)).body);
    expect(items).toHaveLength(Math.ceil(allPayloads.length / 20));
    for (const { html, url } of items)
      expect(isAllowed(String(html).replaceAll(`"${String(url)}#`, '"#')), file).toEqual([]);
  }
});

test.each([
  ['<a href="#post-x">x</a>', '<a href="http://b.test/p/1#post-x">x</a>'],
  ['<a href="?a=1&#x26;b">x</a>', '<a href="http://b.test/p/1?a=1&#x26;b">x</a>'],
  ['<a rel="ugc" href="other">x</a>', '<a rel="ugc" href="http://b.test/p/other">x</a>'],
  ['<a href="//c.test/">x</a>', '<a href="http://c.test/">x</a>'],
  ['<a href="https://c.test/">x</a>', '<a href="https://c.test/">x</a>'],
  ['<a href="mailto:a@c.test">x</a>', '<a href="mailto:a@c.test">x</a>'],
  ['<p> href="#not-a-link"</p>', '<p> href="#not-a-link"</p>'],
  ['<a title="a>b" href="/x">y</a>', '<a title="a>b" href="http://b.test/x">y</a>'],
])("in a feed, %s becomes %s", (html, expected) => {
  expect(withAbsoluteUrls(html, "http://b.test/p/1")).toBe(expected);
});

test("a tag has feeds under any spelling of its name, and items name their tags", async () => {
  const { id } = await createPost(blog.db, { userId: author.id, category: TITLE, createdAt: new Date(0) });
  await createTag(blog.db, { name: "Loose leaf" }, [id]);
  for (const [file, parse] of Object.entries(readers)) {
    const { body } = await get(`/posts/tags/LOOSE%20leaf/${file}`);
    const { home, self, items } = parse(body);
    expect([home, self]).toEqual([
      `${SITE}/posts/tags/Loose%20leaf`,
      `${SITE}/posts/tags/Loose%20leaf/${file}`,
    ]);
    expect(items.map((item) => item.category)).toEqual([TITLE]);
    expect(body).toContain("Loose leaf");
  }
});

test.each([
  "/posts/tags/Nothing",
  "/posts/categories/Nothing",
  "/profile/x",
  "/profile/00000000-0000-4000-8000-000000000000",
])("%s has no feed", async (folder) => {
  for (const file of Object.keys(readers)) {
    const { statusCode, body } = await get(`${folder}/${file}`);
    expect([statusCode, body]).toEqual([404, "Not Found\n"]);
  }
});

test("a category without posts has an empty feed", async () => {
  for (const [file, parse] of Object.entries(readers)) {
    const { statusCode, body } = await get(`/posts/categories/Empty/${file}`);
    expect(statusCode).toBe(200);
    expect(parse(body).items).toEqual([]);
  }
});

describe("over HTTP, a feed", () => {
  test.each([
    ["/feed.xml", "application/rss+xml; charset=utf-8"],
    ["/atom.xml", "application/atom+xml; charset=utf-8"],
    ["/feed.json", "application/feed+json; charset=utf-8"],
  ])("%s has its media type, ETag and Last-Modified, and answers HEAD and 304", async (path, type) => {
    const { headers, body } = await get(path);
    expect(headers["content-type"]).toBe(type);
    expect(headers["cache-control"]).toBe("no-cache");
    expect(Date.parse(String(headers["last-modified"]))).toBeLessThanOrEqual(Date.now());
    expect(Date.parse(String(headers["last-modified"]))).toBeGreaterThan(Date.now() - 600_000);
    expect(headers["access-control-allow-origin"]).toBe("*");
    const notModified = await get(path, { "if-none-match": headers.etag });
    expect([notModified.statusCode, notModified.body]).toEqual([304, ""]);
    const head = await blog.app.inject({ method: "HEAD", url: path });
    expect([head.statusCode, head.body]).toEqual([200, ""]);
    expect(Number(head.headers["content-length"])).toBe(Buffer.byteLength(body));
  });

  test("is found by every page that it belongs to", async () => {
    for (const [page, folder] of [...folders().map((each) => [each || "/", each]), ["/posts", ""]]) {
      const { body } = await get(page!);
      const links = [...body.matchAll(/<link rel="alternate" type="([^"]+)" title="[^"]+" href="([^"]+)"/g)];
      expect(
        links.map(([, type, href]) => [type, href]),
        page,
      ).toEqual([
        ["application/rss+xml", `${SITE}${folder}/feed.xml`],
        ["application/atom+xml", `${SITE}${folder}/atom.xml`],
        ["application/feed+json", `${SITE}${folder}/feed.json`],
      ]);
    }
  });

  test("takes the same few statements for one post and for thirty", async () => {
    const { id } = await createUser(blog.db);
    await createPost(blog.db, { userId: id });
    const query = vi.spyOn(pg.Client.prototype, "query");
    const counts: number[] = [];
    for (const path of [`/profile/${id}/feed.xml`, `/profile/${author.id}/feed.xml`, "/feed.xml"]) {
      query.mockClear();
      expect((await get(path)).statusCode).toBe(200);
      counts.push(query.mock.calls.length);
    }
    query.mockRestore();
    expect(counts).toEqual([4, 4, 3]);
  });
});

test("A47-2: a feed has 400 kB of HTML, and excerpts of the posts beyond, whose HTML is not read", async () => {
  const { id: userId } = await createUser(blog.db);
  const description = "x".repeat(45_000);
  for (let n = 0; n < 20; n++)
    await storeHtml((await createPost(blog.db, { userId, description })).id, `<p>${description}</p>`);
  const query = vi.spyOn(pg.Client.prototype, "query");
  const { items } = (await get(`/profile/${userId}/feed.json`)).json() as { items: object[] };
  const read = await Promise.all(query.mock.results.map(({ value }) => value as Promise<{ rows?: unknown }>));
  query.mockRestore();
  expect(items.map((item) => "content_html" in item)).toEqual(Array.from({ length: 20 }, (_, n) => n < 8));
  expect(JSON.stringify(read.map((result) => result?.rows)).length).toBeLessThan(1_500_000);
});

test("A49-6: the 400 kB are those of JSON, which has six bytes for a control character", async () => {
  const { id: userId } = await createUser(blog.db);
  const description = "\u0001".repeat(40_000);
  for (let n = 0; n < 3; n++)
    await storeHtml((await createPost(blog.db, { userId, description })).id, `<p>${description}</p>`);
  const { items } = (await get(`/profile/${userId}/feed.json`)).json() as { items: object[] };
  expect(items.map((item) => "content_html" in item)).toEqual([true, false, false]);
});
