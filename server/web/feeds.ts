import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ReadCtx } from "../domain/context.ts";
import { excerpt } from "../domain/posts/excerpts.ts";
import {
  readAuthorFeed,
  readCategoryFeed,
  readFeed,
  readTagFeed,
  type Feed,
  type FeedPost,
} from "../domain/posts/feeds.ts";
import { BlogError } from "../errors.ts";
import { createTimeSlicer } from "../event-loop/time-slices.ts";
import { createBulkhead } from "../queue.ts";
import { categoryPath, postPath, profilePath, tagPath } from "../http/addresses.ts";
import { withAbsoluteUrls } from "./absolute-urls.ts";
import { feedFormats, type FeedDocument, type FeedItem } from "./feed-formats.ts";

export type FeedOptions = {
  siteTitle: string;
  visitorCtx: (request: FastifyRequest) => ReadCtx;
};

type Params = { title: string; tag: string; id: string };

const kinds = [
  { below: "", read: readFeed, page: () => "/" },
  {
    below: "/posts/categories/:title",
    read: (ctx: ReadCtx, { title }: Params) => readCategoryFeed(ctx, title),
    page: ({ title }: Params) => categoryPath(title),
  },
  {
    below: "/posts/tags/:tag",
    read: (ctx: ReadCtx, { tag }: Params) => readTagFeed(ctx, tag),
    page: ({ tag }: Params, feed: Feed) => tagPath(feed.tag ?? tag),
  },
  {
    below: "/profile/:id",
    read: (ctx: ReadCtx, { id }: Params) => readAuthorFeed(ctx, id),
    page: ({ id }: Params) => profilePath(id.toLowerCase()),
  },
];

export const queueFeeds = createBulkhead("feeds");

/** The newest posts of the blog, and of each category, tag and author, as RSS, Atom and JSON Feed. */
export function serveFeeds(app: FastifyInstance, options: FeedOptions): void {
  for (const { below, read, page } of kinds)
    for (const [file, { type, write }] of Object.entries(feedFormats))
      app.get<{ Params: Params }>(`${below}/${file}`, async (request, reply) => {
        const ctx = options.visitorCtx(request);
        const text = await queueFeeds(async () => {
          const feed = await read(ctx, request.params);
          const document = await documentOf(ctx, feed, options.siteTitle, {
            path: page(request.params, feed),
            file,
          });
          reply.header("last-modified", document.updated.toUTCString());
          return write(document);
        }, ctx.origin).catch(nullIfMissing);
        if (text === null) return sendNotFound(reply);
        return reply.header("cache-control", "no-cache").type(type).send(text);
      });
}

export function nullIfMissing(error: unknown): null {
  if (error instanceof BlogError && ["NOT_FOUND", "BAD_USER_INPUT"].includes(error.code)) return null;
  throw error;
}

export const sendNotFound = (reply: FastifyReply) =>
  reply.code(404).type("text/plain; charset=utf-8").send("Not Found\n");

async function documentOf(
  ctx: ReadCtx,
  feed: Feed,
  siteTitle: string,
  { path, file }: { path: string; file: string },
): Promise<FeedDocument> {
  const { posts, category, tag, author, updatedAt } = feed;
  const name = category ?? tag ?? author?.username;
  return {
    title: name === undefined ? siteTitle : `${name} · ${siteTitle}`,
    description: name === undefined ? `The newest posts of ${siteTitle}` : `The newest posts of ${name}`,
    home: ctx.siteUrl + path,
    self: `${ctx.siteUrl}${path === "/" ? "" : path}/${file}`,
    icon: `${ctx.siteUrl}/icon-512.png`,
    updated: updatedAt,
    items: await itemsOf(ctx, posts),
  };
}

async function itemsOf(ctx: ReadCtx, groups: Feed["posts"]): Promise<FeedItem[]> {
  const nextSlice = createTimeSlicer(ctx.origin);
  const items: FeedItem[] = [];
  for await (const posts of groups)
    for (const post of posts) {
      await nextSlice();
      const url = ctx.siteUrl + postPath(post.id);
      items.push({ ...itemOf(ctx, post, url), html: post.html && withAbsoluteUrls(post.html, url) });
    }
  return items;
}

const itemOf = (ctx: ReadCtx, post: FeedPost, url: string) => ({
  id: `urn:uuid:${post.id}`,
  url,
  title: post.title,
  summary: excerpt(post.description),
  author: { name: post.author.username, url: ctx.siteUrl + profilePath(post.author.id) },
  categories: [post.category, ...post.tags.map(({ name }) => name)],
  published: post.createdAt,
  updated: post.updatedAt,
  picture: ctx.media.urlOf(post.imageId, "picture.jpg"),
});
