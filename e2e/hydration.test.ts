import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "./testing/browser.ts";
import { openPage } from "./testing/stage.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const readTimes = (page: Page) =>
  page.evaluate(() => ({
    painted: performance.getEntriesByName("first-contentful-paint")[0]!.startTime,
    scripts: performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js")),
    pictures: performance.getEntriesByType("resource").filter(({ name }) => /\/media\//.test(name)),
  }));

test("a page with a large picture loads its scripts after the first paint", async () => {
  const { page, context } = await openPage(browser, null);
  await page.goto("/", { waitUntil: "networkidle" });
  const { painted, scripts, pictures } = await readTimes(page);
  const [first] = pictures as PerformanceResourceTiming[];
  expect(scripts.length).toBeGreaterThan(0);
  for (const { startTime } of scripts) {
    expect(startTime).toBeGreaterThanOrEqual(painted);
    expect(startTime).toBeGreaterThanOrEqual(first!.responseEnd);
  }
  await context.close();
});

test("a page of search results loads its scripts after the first paint", async () => {
  const { page, context } = await openPage(browser, null);
  await page.goto("/search?q=the", { waitUntil: "networkidle" });
  await page.locator(".search-result").first().waitFor();
  const { painted, scripts } = await readTimes(page);
  expect(scripts.length).toBeGreaterThan(0);
  for (const { startTime } of scripts) expect(startTime).toBeGreaterThanOrEqual(painted);
  await context.close();
});

test("a click before hydration is replayed after it", async () => {
  const { page, context } = await openPage(browser, null, { viewport: { width: 390, height: 800 } });
  let send = () => {};
  const held = new Promise<void>((resolve) => (send = resolve));
  await page.route("**/assets/*.js", async (route) => held.then(() => route.continue()));
  await page.goto("/");
  const posts = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Posts" });
  await page.locator(".menu-toggle").click();
  expect(await posts.isVisible()).toBe(false);
  send();
  await posts.waitFor();
  expect(await page.evaluate(() => "early" in window)).toBe(false);
  await context.close();
});
