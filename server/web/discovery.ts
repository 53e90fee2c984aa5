import type { FastifyInstance } from "fastify";
import { serveFeeds, type FeedOptions } from "./feeds.ts";
import { serveOEmbed } from "./oembed.ts";
import { serveSitemap } from "./sitemap.ts";
import { serveSiteFiles } from "./site-files.ts";

/** Everything by which crawlers, feed readers and other sites find the blog and its posts. */
export function serveDiscovery(app: FastifyInstance, options: FeedOptions): void {
  serveSiteFiles(app, options);
  serveFeeds(app, options);
  serveOEmbed(app, options);
  serveSitemap(app, options);
}
