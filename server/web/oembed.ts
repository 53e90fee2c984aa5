import type { FastifyInstance } from "fastify";
import { readPost } from "../domain/posts/posts.ts";
import { postPath, profilePath } from "../http/addresses.ts";
import { queueFeeds, sendNotFound, nullIfMissing, type FeedOptions } from "./feeds.ts";

const oEmbedPost = { author: "summary" } as const;

type Query = { Querystring: { url?: string; format?: string } };

/** oEmbed for posts, as links with a picture: no other site may show a page of the blog in a frame. */
export function serveOEmbed(app: FastifyInstance, { siteTitle, visitorCtx }: FeedOptions): void {
  app.get<Query>("/oembed", async (request, reply) => {
    const { url, format = "json" } = request.query;
    // The code that the specification names for formats that are not offered.
    if (format !== "json") return reply.code(501).type("text/plain; charset=utf-8").send("Only JSON\n");
    const ctx = visitorCtx(request);
    const start = ctx.siteUrl + postPath("");
    if (typeof url !== "string" || !url.startsWith(start)) return sendNotFound(reply);
    const [path = ""] = url.slice(start.length).split(/[?#]/, 1);
    const id = path.endsWith("/") ? path.slice(0, -1) : path;
    const post = await queueFeeds(() => readPost(ctx, id, oEmbedPost), ctx.origin).catch(nullIfMissing);
    if (!post) return sendNotFound(reply);
    return reply
      .header("cache-control", "no-cache")
      .type("application/json; charset=utf-8")
      .send({
        version: "1.0",
        type: "link",
        title: post.title,
        author_name: post.author.username,
        author_url: ctx.siteUrl + profilePath(post.author.id),
        provider_name: siteTitle,
        provider_url: `${ctx.siteUrl}/`,
        thumbnail_url: ctx.media.urlOf(post.imageId, "card.jpg"),
        thumbnail_width: 1_200,
        thumbnail_height: 630,
      });
  });
}
