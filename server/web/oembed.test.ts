import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { startTestApp } from "../testing/app.ts";
import { createPost, createUser } from "../testing/factories.ts";
import { queueFeeds } from "./feeds.ts";

const blog = await startTestApp();
const ask = (url: string, more = "") => blog.app.inject(`/oembed?url=${encodeURIComponent(url)}${more}`);

test("a post is described as a link with its author and picture, at the address that its page names", async () => {
  const author = await createUser(blog.db, { username: "Ann" });
  const post = await createPost(blog.db, { userId: author.id, title: '"Slate" & <b>' });
  const page = await blog.app.inject(`/posts/details/${post.id}`);
  const [, href = ""] = /type="application\/json\+oembed" href="([^"]+)"/.exec(page.body) ?? [];
  const response = await blog.app.inject(href.replace("http://blog.test", "").replaceAll("&amp;", "&"));
  expect(response.statusCode).toBe(200);
  expect(response.headers["content-type"]).toContain("application/json");
  expect(response.json()).toEqual({
    version: "1.0",
    type: "link",
    title: '"Slate" & <b>',
    author_name: "Ann",
    author_url: `http://blog.test/profile/${author.id}`,
    provider_name: "Blog",
    provider_url: "http://blog.test/",
    thumbnail_url: blog.services.media.urlOf(post.imageId, "card.jpg"),
    thumbnail_width: 1_200,
    thumbnail_height: 630,
  });
  const url = `http://blog.test/posts/details/${post.id}`;
  expect((await ask(`${url}/?utm_source=x#top`)).statusCode).toBe(200);
  expect((await ask(url, "&format=xml")).statusCode).toBe(501);
  expect((await ask(url.replace("blog.test", "elsewhere.test"))).statusCode).toBe(404);
});

test.each(["", "http://blog.test/posts/details/x", "http://blog.test/profile/x", "javascript:alert(1)"])(
  "%s is no post",
  async (url) => {
    expect((await ask(url)).statusCode).toBe(404);
  },
);

test("a post is read in the queue of the feeds", async () => {
  const post = await createPost(blog.db, { userId: (await createUser(blog.db)).id });
  const release = await queueFeeds.acquire("127.0.0.1");
  let isRead = false;
  const response = ask(`http://blog.test/posts/details/${post.id}`).then(({ statusCode }) => {
    isRead = true;
    return statusCode;
  });
  await setTimeout(100);
  expect(isRead).toBe(false);
  release();
  expect(await response).toBe(200);
});
