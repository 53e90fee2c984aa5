import type { FastifyInstance } from "fastify";
import { serveFeeds, type FeedOptions } from "./feeds.ts";
import { serveLlmsText } from "./llms.ts";
import { serveOEmbed } from "./oembed.ts";
import { serveSitemap } from "./sitemap.ts";
import { serveSiteFiles, type Site } from "./site-files.ts";

type Options = FeedOptions & Site & { llmsTxt?: boolean };

/** Everything by which crawlers, feed readers and other sites find the blog and its posts. */
export function serveDiscovery(app: FastifyInstance, options: Options): void {
  serveSiteFiles(app, options);
  serveFeeds(app, options);
  serveOEmbed(app, options);
  serveSitemap(app, options);
  if (options.llmsTxt) serveLlmsText(app, options);
}
