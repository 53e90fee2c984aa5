import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, visit } from "./testing/browser.ts";
import { givenBlog } from "./testing/given-blog.ts";
import { expectHidden, expectVisible, leadsTo, open } from "./testing/stage.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const field = (page: Page) => page.getByRole("combobox", { name: "Search posts, authors and categories" });

/** The moments of the requests for suggestions. */
function watchSuggestions(page: Page): number[] {
  const moments: number[] = [];
  page.on("request", (request) => {
    if (/SearchSuggestions/.test(request.url() + (request.postData() ?? ""))) moments.push(Date.now());
  });
  return moments;
}

test("'/' opens the search; results come once typing pauses, and keys choose one, or all", async () => {
  const { page, context, complaints } = await visit(browser, givenBlog.url);
  const requests = watchSuggestions(page);
  await open(page, "/");
  await page.keyboard.press("/");
  await expectVisible(field(page));
  await expect.poll(() => field(page).evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type("bread", { delay: 60 });
  const typed = Date.now();
  const options = page.getByRole("listbox", { name: "Results" }).getByRole("option");
  await expectVisible(options);
  expect(requests).toHaveLength(1);
  expect(requests[0]! - typed).toBeGreaterThanOrEqual(100);

  const chosen = () =>
    field(page).evaluate((input) => {
      const id = input.getAttribute("aria-activedescendant");
      return id && [...document.querySelectorAll("[role=option]")].findIndex((each) => each.id === id);
    });
  const steps: (number | string | null)[] = [];
  for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowUp"]) {
    await page.keyboard.press(key);
    steps.push(await chosen());
  }
  expect(steps).toEqual([0, 1, 0, null, (await options.count()) - 1]);
  await page.keyboard.press("Escape");
  await expectHidden(field(page));

  await page.keyboard.press("/");
  await expectVisible(field(page));
  await page.keyboard.type("night bake");
  await expectVisible(options.filter({ hasText: "The night bake, hour by hour" }));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await leadsTo(page, /^\/posts\/details\//);
  await expectVisible(page.getByRole("heading", { level: 1, name: "The night bake, hour by hour" }));
  await expectHidden(field(page));

  await page.keyboard.press("/");
  await expectVisible(field(page));
  await page.keyboard.type("slate");
  await page.keyboard.press("Enter");
  await leadsTo(page, "/search?q=slate");
  await expectVisible(page.getByRole("heading", { name: /results for “slate”/ }));
  expect(complaints).toEqual([]);
  await context.close();
});

test("'/' shows the search far down a page, too, and Escape gives the focus back", async () => {
  const { page, context } = await visit(browser, givenBlog.url);
  await open(page, "/posts");
  const link = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Next" });
  await link.scrollIntoViewIfNeeded();
  await page.mouse.move(600, 400);
  await page.mouse.wheel(0, 500);
  await expect.poll(() => page.locator(".site-header[data-hidden]").count()).toBe(1);
  await link.focus();
  const before = await page.evaluate(() => scrollY);
  await page.keyboard.press("/");
  await expectVisible(field(page));
  expect((await field(page).boundingBox())!.y).toBeGreaterThanOrEqual(0);
  expect(await page.evaluate(() => scrollY)).toBe(before);
  await page.keyboard.press("Escape");
  await expectHidden(field(page));
  expect(await link.evaluate((each) => each === document.activeElement)).toBe(true);
  await context.close();
});

test("the text of a result is as wide as a phone", async () => {
  const { page, context } = await visit(browser, givenBlog.url, { viewport: { width: 390, height: 800 } });
  await page.goto("/search?q=author:maya+ferry");
  const result = page.getByRole("article").filter({ has: page.locator(".cover") });
  const [all, excerpt, cover, title] = await Promise.all(
    [result, ...[".excerpt", ".cover", "h3"].map((part) => result.locator(part))].map((part) =>
      part.first().boundingBox(),
    ),
  );
  expect(excerpt!.width).toBe(all!.width);
  expect(excerpt!.y).toBeGreaterThanOrEqual(cover!.y + cover!.height);
  expect(title!.x + title!.width).toBeLessThanOrEqual(cover!.x);
  await context.close();
});

test("without scripts the header leads to the search, whose form finds posts", async () => {
  const { page, context } = await visit(browser, givenBlog.url, { javaScriptEnabled: false });
  await page.goto("/");
  await page.getByRole("link", { name: "Search" }).click();
  await page.getByRole("searchbox").fill("slate");
  await page.getByRole("button", { name: "Search" }).click();
  await page.waitForURL("**/search?q=slate");
  expect(await page.getByRole("article").count()).toBeGreaterThan(0);
  expect(await page.locator("mark").first().textContent()).toMatch(/slate/i);
  await context.close();
});
