import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "./testing/browser.ts";
import { givenBlog } from "./testing/given-blog.ts";
import type { Account } from "./testing/people.ts";
import { gather, type Role } from "./testing/routes.ts";
import { open, openPage } from "./testing/stage.ts";

const { url } = givenBlog;

let browser: Browser;
let people: Record<Role, Account | null>;
let routes: [string, Role][];

beforeAll(async () => {
  browser = await openBrowser();
  ({ people, routes } = await gather());
});
afterAll(() => browser.close());

/** Records console errors and warnings, CSP violations and requests to other hosts. */
async function listen(context: BrowserContext, page: Page): Promise<string[]> {
  const events: string[] = [];
  page.on("pageerror", (error) => events.push(`exception: ${error.message}`));
  page.on("console", (message) => {
    // The browser logs every 404 page itself.
    const own404 = message.text().includes("404 (Not Found)") && message.location().url === page.url();
    if (["error", "warning"].includes(message.type()) && !own404)
      events.push(`${message.type()}: ${message.text()}`);
  });
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== url && !["data:", "blob:"].includes(protocol)) events.push(`elsewhere: ${request.url()}`);
  });
  await context.exposeFunction("report", (text: string) => events.push(text));
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      (window as any).report(`policy: ${violatedDirective} ${blockedURI}`),
    );
    (window as any).shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as any[])
        if (!entry.hadRecentInput) (window as any).shift += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  return events;
}

describe.each([
  ["a phone", { width: 390, height: 844 }],
  ["a desktop", { width: 1280, height: 800 }],
])("on %s", (_, viewport) => {
  test.each(["visitor", "writer", "admin"] as const)(
    "no page of a %s logs messages or shifts its layout",
    async (role) => {
      const { page, context } = await openPage(browser, people[role], { viewport });
      const events = await listen(context, page);
      const shifts: Record<string, number> = {};
      for (const [path] of routes.filter(([, who]) => who === role)) {
        await open(page, path);
        await page.waitForLoadState("networkidle");
        const shift = await page.evaluate(() => (window as any).shift as number);
        if (shift >= 0.05) shifts[path] = shift;
        expect(events, path).toEqual([]);
      }
      expect(shifts).toEqual({});
      await context.close();
    },
    180_000,
  );
});

test("navigation by links logs no messages", async () => {
  const { page, context } = await openPage(browser, people.writer);
  const events = await listen(context, page);
  await open(page, "/");
  const main = page.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: "Posts" }).click();
  await page.getByRole("navigation", { name: "Pages" }).getByText("Next").click();
  await page.getByRole("article").first().getByRole("heading").getByRole("link").click();
  await page.locator(".byline").getByRole("link").first().click();
  await page.getByRole("heading", { name: / Posts$/ }).waitFor();
  await page.goBack();
  await page.locator(".byline").waitFor();
  await main.getByRole("link", { name: "Create" }).click();
  await page.getByLabel("Post Title").waitFor();
  await main.getByRole("link", { name: "Home" }).click();
  await page.getByRole("heading", { name: "Welcome to Blog" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(events).toEqual([]);
  await context.close();
});
