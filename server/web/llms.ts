import type { FastifyInstance } from "fastify";
import { excerpt } from "../domain/posts/excerpts.ts";
import type { ReadCtx } from "../domain/context.ts";
import { readFeed } from "../domain/posts/feeds.ts";
import { createTimeSlicer } from "../event-loop/time-slices.ts";
import { postPath } from "../http/addresses.ts";
import { queueFeeds, type FeedOptions } from "./feeds.ts";

/** /llms.txt describes the site to language models, in the format of llmstxt.org. Off by default. */
export function serveLlmsText(app: FastifyInstance, options: FeedOptions): void {
  app.get("/llms.txt", async (request, reply) => {
    const ctx = options.visitorCtx(request);
    const posts = await queueFeeds(() => readSummaries(ctx), ctx.origin);
    return reply
      .header("cache-control", "no-cache")
      .type("text/plain; charset=utf-8")
      .send(textOf(options.siteTitle, ctx.siteUrl, posts));
  });
}

type Summary = { id: string; title: string; summary: string };

async function readSummaries(ctx: ReadCtx): Promise<Summary[]> {
  const nextSlice = createTimeSlicer(ctx.origin);
  const summaries: Summary[] = [];
  for await (const posts of (await readFeed(ctx)).posts)
    for (const { id, title, description } of posts) {
      await nextSlice();
      summaries.push({ id, title, summary: excerpt(description) });
    }
  return summaries;
}

function textOf(siteTitle: string, siteUrl: string, posts: Summary[]): string {
  const link = (name: string, path: string, about: string) =>
    `- [${plain(name)}](${siteUrl}${path})${about && `: ${plain(about)}`}`;
  return `${[
    `# ${plain(siteTitle)}`,
    "> A blog: posts by several authors, with categories, tags and comments.",
    [
      "## Pages",
      "",
      link("Home", "/", "the newest posts"),
      link("Posts", "/posts", "all posts, and the categories"),
      link("Search", "/search?q=", "results for the words after q="),
      link("Sitemap", "/sitemap.xml", "the addresses of all pages"),
    ].join("\n"),
    [
      "## Newest posts",
      "",
      ...posts.map(({ id, title, summary }) => link(title, postPath(id), summary)),
    ].join("\n"),
    [
      "## Feeds and APIs",
      "",
      link("JSON Feed", "/feed.json", "the newest 30 posts with their texts"),
      link("RSS", "/feed.xml", ""),
      link("Atom", "/atom.xml", ""),
      link("REST", "/api/docs", "the documentation"),
      link("GraphQL", "/graphql", "the endpoint and the explorer"),
    ].join("\n"),
  ].join("\n\n")}\n`;
}

/** One line of text that Markdown does not read as a link. */
const plain = (text: string) =>
  text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[[\]\\]/g, "\\$&");
