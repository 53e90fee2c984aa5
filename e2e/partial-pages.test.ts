import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadClient } from "../server/web/pages.ts";
import { openBrowser, visit } from "./testing/browser.ts";
import { givenBlog } from "./testing/given-blog.ts";
import { gather } from "./testing/routes.ts";

const { url } = givenBlog;

let browser: Browser;
let paths: string[];
beforeAll(async () => {
  browser = await openBrowser();
  const { routes } = await gather();
  paths = routes.filter(([, role]) => role === "visitor").map(([path]) => path);
});
afterAll(() => browser.close());

/** Replaces the documents that a page loads by those without data, as a server sends them that has too much to render. */
async function serveWithoutData(page: Page): Promise<void> {
  const { render, describePage } = await loadClient(join(import.meta.dirname, "../dist"));
  await page.route(
    ({ origin, pathname }) => origin === url && !pathname.startsWith("/graphql"),
    async (route) => {
      if (route.request().resourceType() !== "document") return route.continue();
      const response = await route.fetch();
      const html = await response.text();
      const { assets, site } = JSON.parse(/<script id="state"[^>]*>(.*?)<\/script>/s.exec(html)![1]!);
      const sheet = /<style>(.*?)<\/style>/s.exec(html)![1]!;
      const partial = await render({
        url: describePage(route.request().url().slice(url.length)).path,
        siteTitle: site.title,
        siteUrl: site.url,
        settings: { offlineReading: site.offlineReading, hasMailServer: site.hasMailServer },
        execute: null,
        assets: { ...assets, sheet },
        schedule: async (pass) => pass(),
      });
      await route.fulfill({ response, body: partial.html });
    },
  );
}

const mainText = (page: Page) => page.locator("main").innerText();

test("the browser reads the data of pages that were sent without, as if it had got all", async () => {
  const [full, partial] = [await visit(browser, url), await visit(browser, url)];
  await serveWithoutData(partial.page);
  for (const path of paths) {
    await full.page.goto(path, { waitUntil: "networkidle" });
    await partial.page.goto(path, { waitUntil: "networkidle" });
    await expect.poll(() => mainText(partial.page), { message: path }).toBe(await mainText(full.page));
    expect(await partial.page.title(), path).toBe(await full.page.title());
    expect(partial.complaints, path).toEqual([]);
  }
  for (const { context } of [full, partial]) await context.close();
}, 180_000);

test("a reader without JavaScript learns that the page has to be loaded again", async () => {
  const { page, context } = await visit(browser, url, { javaScriptEnabled: false });
  await serveWithoutData(page);
  await page.goto("/posts");
  expect(await mainText(page)).toContain("Load this page again in a few seconds.");
  await context.close();
});
