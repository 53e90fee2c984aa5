import type { FastifyInstance } from "fastify";
import type { ReadCtx } from "../domain/context.ts";
import { listPostPages, listTagPages, POSTS_PER_SITEMAP } from "../domain/posts/sitemaps.ts";
import { createTimeSlicer } from "../event-loop/time-slices.ts";
import { categoryPath, postPath, tagPath } from "../http/addresses.ts";
import type { FeedOptions } from "./feeds.ts";
import { queueFeeds, sendNotFound } from "./feeds.ts";
import { element, XML_HEAD } from "./xml.ts";

const NAMESPACE = { xmlns: "http://www.sitemaps.org/schemas/sitemap/0.9" };
const TYPE = "application/xml; charset=utf-8";
const POSTS_PER_SLICE = 500;
const HOUR = "public, max-age=3600";

/** An index, and files of 10 000 addresses: the newest posts in the first one, beside the lists. */
export function serveSitemap(app: FastifyInstance, { visitorCtx }: FeedOptions): void {
  app.get("/sitemap.xml", async (request, reply) => {
    const { queries, siteUrl } = visitorCtx(request);
    const posts = await queries.countPosts({});
    const files = Array.from({ length: Math.max(1, Math.ceil(posts / POSTS_PER_SITEMAP)) }, (_, n) =>
      element("sitemap", [element("loc", `${siteUrl}/sitemap/${n + 1}.xml`)]),
    );
    return reply
      .header("cache-control", HOUR)
      .type(TYPE)
      .send(XML_HEAD + element("sitemapindex", files, NAMESPACE));
  });

  app.get<{ Params: { page: string } }>("/sitemap/:page.xml", async (request, reply) => {
    const page = /^[1-9]\d{0,5}$/.test(request.params.page) ? Number(request.params.page) : 0;
    const ctx = visitorCtx(request);
    const text = await queueFeeds(() => writeFile(ctx, page), ctx.origin);
    if (text === null) return sendNotFound(reply);
    return reply.header("cache-control", HOUR).type(TYPE).send(text);
  });
}

async function writeFile(ctx: ReadCtx, page: number): Promise<string | null> {
  const posts = page > 0 ? await listPostPages(ctx, page) : [];
  if (posts.length === 0 && page !== 1) return null;
  const lists = page === 1 ? await listPaths(ctx) : [];
  const urls = lists.map((path) => element("url", [element("loc", ctx.siteUrl + path)]));
  const nextSlice = createTimeSlicer(ctx.origin);
  for (let start = 0; start < posts.length; start += POSTS_PER_SLICE) {
    await nextSlice();
    urls.push(...posts.slice(start, start + POSTS_PER_SLICE).map((post) => urlOf(ctx, post)));
  }
  return XML_HEAD + element("urlset", urls, NAMESPACE);
}

const urlOf = ({ siteUrl }: ReadCtx, { id, updatedAt }: { id: string; updatedAt: Date }) =>
  element("url", [element("loc", siteUrl + postPath(id)), element("lastmod", updatedAt.toISOString())]);

async function listPaths(ctx: ReadCtx): Promise<string[]> {
  const [categories, tags] = await Promise.all([ctx.queries.categories(), listTagPages(ctx)]);
  return ["/", "/posts", ...categories.map(({ title }) => categoryPath(title)), ...tags.map(tagPath)];
}
