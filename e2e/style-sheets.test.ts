import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "./testing/browser.ts";
import { call } from "./testing/people.ts";
import { open, openPage } from "./testing/stage.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test("no style sheet delays the first paint, and the CSP allows the inlined one by its hash", async () => {
  const [post] = (await call("GET", "/posts?pageNumber=1")).body;
  const { page, context } = await openPage(browser, null);
  const addresses = [
    "/",
    "/posts",
    "/posts/categories/Food",
    `/profile/${post.user._id}`,
    "/search",
    "/nowhere",
  ];
  for (const path of [...addresses, `/posts/details/${post._id}`]) {
    const response = await page.goto(path, { waitUntil: "networkidle" });
    expect(response?.headers()["content-security-policy"]).not.toContain("unsafe-inline");
    const face = await page.evaluate(() => getComputedStyle(document.documentElement).fontFamily);
    expect(face, path).toContain("Newsreader");
    const { painted, sheets } = await page.evaluate(() => ({
      painted: performance.getEntriesByName("first-contentful-paint")[0]!.startTime,
      sheets: performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".css")),
    }));
    expect(
      sheets.map(({ name }) => /([a-z-]+)-[\w-]+\.css$/.exec(name)?.[1]),
      path,
    ).toEqual(["deferred-css"]);
    // Pages without a large picture do not wait for the paint.
    if (await page.locator("img[fetchpriority=high]").count())
      expect(sheets[0]!.startTime, path).toBeGreaterThanOrEqual(painted);
  }
  await context.close();
});

test("a page that is opened by a link has its styles, also those that the first page does not have", async () => {
  const { page, context } = await openPage(browser, null);
  await open(page, "/login");
  await page.getByRole("link", { name: "Posts" }).first().click();
  await page.locator(".post-card").first().waitFor();
  // Found and read at once: a card that is rendered anew in between has no styles.
  const styles = () =>
    page.evaluate(() => {
      const { display, gap } = getComputedStyle(document.querySelector(".post-card") as Element);
      return display + gap;
    });
  const byLink = await styles();
  await open(page, "/posts");
  expect(byLink).toBe(await styles());
  expect(byLink).not.toContain("block");
  await context.close();
});
