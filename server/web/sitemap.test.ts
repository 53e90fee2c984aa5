import { beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createCategory, createPost, createTag } from "../testing/factories.ts";

const publicUrl = "http://blog.test";
let blog: TestApp;
let post: { id: string; updatedAt: Date };
beforeAll(async () => {
  blog = await startTestApp({ publicUrl });
  const { id: userId } = await blog.signUp();
  await createCategory(blog.db, "Bread & salt");
  post = await createPost(blog.db, { userId, category: "Bread & salt" });
  await createTag(blog.db, { name: "Salt & pepper" }, [post.id]);
  await createTag(blog.db, { name: "Unused" }, []);
});

const locationsOf = (xml: string) => [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url = ""]) => url);

test("robots.txt names the sitemap, an index of files", async () => {
  expect((await blog.app.inject("/robots.txt")).body).toContain(`Sitemap: ${publicUrl}/sitemap.xml`);
  const { headers, body } = await blog.app.inject("/sitemap.xml");
  expect(headers["content-type"]).toBe("application/xml; charset=utf-8");
  expect(locationsOf(body)).toEqual([`${publicUrl}/sitemap/1.xml`]);
});

test("every address in it is a page whose canonical address it is", async () => {
  const { body } = await blog.app.inject("/sitemap/1.xml");
  const urls = locationsOf(body);
  expect(urls).toEqual([
    `${publicUrl}/`,
    `${publicUrl}/posts`,
    `${publicUrl}/posts/categories/Bread%20%26%20salt`,
    `${publicUrl}/posts/tags/Salt%20%26%20pepper`,
    `${publicUrl}/posts/details/${post.id}`,
  ]);
  expect(body).toContain(`<lastmod>${post.updatedAt.toISOString()}</lastmod>`);
  for (const url of urls) {
    const page = await blog.app.inject(url.slice(publicUrl.length));
    expect([url, page.statusCode]).toEqual([url, 200]);
    const canonical = /<link rel="canonical" href="([^"]*)"/.exec(page.body)?.[1];
    expect(canonical?.replaceAll("&amp;", "&")).toBe(url);
  }
});

test("files that do not exist are not found", async () => {
  for (const page of ["2", "0", "01", "x", "1000000"])
    expect((await blog.app.inject(`/sitemap/${page}.xml`)).statusCode).toBe(404);
});
