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

test("readers' pages request no style sheet, and the CSP allows the inlined one by its hash", async () => {
  const [post] = (await call("GET", "/posts?pageNumber=1")).body;
  const { page, context } = await openPage(browser, null);
  const requests: string[] = [];
  page.on("request", (request) => request.url().endsWith(".css") && requests.push(request.url()));
  const addresses = ["/", "/posts", "/posts/categories/Food", `/profile/${post.user._id}`, "/nowhere"];
  for (const path of [...addresses, `/posts/details/${post._id}`]) {
    const response = await page.goto(path, { waitUntil: "networkidle" });
    expect(response?.headers()["content-security-policy"]).not.toContain("unsafe-inline");
    const face = await page.evaluate(() => getComputedStyle(document.documentElement).fontFamily);
    expect(face, path).toContain("Newsreader");
    expect(requests, path).toEqual([]);
  }
  await page.goto("/login");
  expect(requests.length).toBeGreaterThan(0);
  await context.close();
});
