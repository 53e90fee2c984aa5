import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "./testing/browser.ts";
import { call } from "./testing/people.ts";
import { openPage } from "./testing/stage.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test("no reader's page asks for a file of styles, and the sheet in each is let through by its hash", async () => {
  const [post] = (await call("GET", "/posts?pageNumber=1")).body;
  const { page, context } = await openPage(browser, null);
  const asked: string[] = [];
  page.on("request", (request) => request.url().endsWith(".css") && asked.push(request.url()));
  const addresses = ["/", "/posts", "/posts/categories/Food", `/profile/${post.user._id}`, "/nowhere"];
  for (const path of [...addresses, `/posts/details/${post._id}`]) {
    const answer = await page.goto(path, { waitUntil: "networkidle" });
    expect(answer?.headers()["content-security-policy"]).not.toContain("unsafe-inline");
    const face = await page.evaluate(() => getComputedStyle(document.documentElement).fontFamily);
    expect(face, path).toContain("Newsreader");
    expect(asked, path).toEqual([]);
  }
  await page.goto("/login");
  expect(asked.length).toBeGreaterThan(0);
  await context.close();
});
