import { element, escapeXml, XML_HEAD } from "./xml.ts";

export type FeedDocument = {
  title: string;
  description: string;
  home: string;
  /** The address of the feed itself. */
  self: string;
  icon: string;
  updated: Date;
  items: FeedItem[];
};

export type FeedItem = {
  /** Does not change when the site moves to another domain. */
  id: string;
  url: string;
  title: string;
  /** Null beyond the limit of a feed's length. */
  html: string | null;
  summary: string;
  author: { name: string; url: string };
  /** The category, and the tags. */
  categories: string[];
  published: Date;
  updated: Date;
  picture: string;
};

type Format = { type: string; write: (feed: FeedDocument) => string };

export const feedFormats: Record<"feed.xml" | "atom.xml" | "feed.json", Format> = {
  "feed.xml": { type: "application/rss+xml; charset=utf-8", write: writeRss },
  "atom.xml": { type: "application/atom+xml; charset=utf-8", write: writeAtom },
  "feed.json": { type: "application/feed+json; charset=utf-8", write: writeJson },
};

const RSS = {
  version: "2.0",
  "xmlns:atom": "http://www.w3.org/2005/Atom",
  "xmlns:content": "http://purl.org/rss/1.0/modules/content/",
  "xmlns:dc": "http://purl.org/dc/elements/1.1/",
};

/** RSS 2.0, with modules for the full text, names of authors, and the feed's own address. Its descriptions are HTML. */
function writeRss({ title, description, home, self, updated, items }: FeedDocument): string {
  const channel = [
    element("title", title),
    element("link", home),
    element("description", escapeXml(description)),
    element("lastBuildDate", updated.toUTCString()),
    element("atom:link", [], { rel: "self", type: "application/rss+xml", href: self }),
    ...items.map(rssItem),
  ];
  return `${XML_HEAD}${element("rss", [element("channel", channel)], RSS)}\n`;
}

const rssItem = (item: FeedItem) =>
  element("item", [
    element("title", item.title),
    element("link", item.url),
    element("guid", item.id, { isPermaLink: "false" }),
    element("pubDate", item.published.toUTCString()),
    element("dc:creator", item.author.name),
    ...item.categories.map((name) => element("category", name)),
    element("description", escapeXml(item.summary)),
    ...(item.html === null ? [] : [element("content:encoded", item.html)]),
    // Zero is the conventional length of a file whose length is not known.
    element("enclosure", [], { url: item.picture, type: "image/jpeg", length: 0 }),
  ]);

/** RFC 4287. */
function writeAtom({ title, description, home, self, icon, updated, items }: FeedDocument): string {
  const feed = [
    element("id", self),
    element("title", title),
    element("subtitle", description),
    element("updated", updated.toISOString()),
    element("link", [], { rel: "alternate", type: "text/html", href: home }),
    element("link", [], { rel: "self", type: "application/atom+xml", href: self }),
    element("icon", icon),
    ...items.map(atomEntry),
  ];
  return `${XML_HEAD}${element("feed", feed, { xmlns: "http://www.w3.org/2005/Atom" })}\n`;
}

const atomEntry = (item: FeedItem) =>
  element("entry", [
    element("id", item.id),
    element("title", item.title),
    element("link", [], { rel: "alternate", type: "text/html", href: item.url }),
    element("link", [], { rel: "enclosure", type: "image/jpeg", href: item.picture }),
    element("published", item.published.toISOString()),
    element("updated", item.updated.toISOString()),
    element("author", [element("name", item.author.name), element("uri", item.author.url)]),
    ...item.categories.map((term) => element("category", [], { term })),
    element("summary", item.summary),
    ...(item.html === null ? [] : [element("content", item.html, { type: "html" })]),
  ]);

/** https://www.jsonfeed.org/version/1.1/ */
function writeJson({ title, description, home, self, icon, items }: FeedDocument): string {
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title,
    description,
    home_page_url: home,
    feed_url: self,
    icon,
    items: items.map(jsonItem),
  });
}

const jsonItem = (item: FeedItem) => ({
  id: item.id,
  url: item.url,
  title: item.title,
  ...(item.html === null ? { content_text: item.summary } : { content_html: item.html }),
  summary: item.summary,
  image: item.picture,
  date_published: item.published.toISOString(),
  date_modified: item.updated.toISOString(),
  authors: [item.author],
  tags: item.categories,
  attachments: [{ url: item.picture, mime_type: "image/jpeg" }],
});
