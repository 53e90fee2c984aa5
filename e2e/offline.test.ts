import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { violationsOn } from "./testing/axe.ts";
import { openBrowser } from "./testing/browser.ts";
import { call, makeAccount, type Account } from "./testing/people.ts";
import { expectVisible, leadsTo, open, openPage, writePost } from "./testing/stage.ts";

let browser: Browser;
let writer: Account;
let post: { _id: string };

beforeAll(async () => {
  browser = await openBrowser();
  writer = await makeAccount();
  post = await writePost(writer);
});
afterAll(() => browser.close());

const storedPages = (page: Page) =>
  page.evaluate(async () => {
    const requests = await (await caches.open("blog-pages")).keys();
    return requests.map(({ url }) => new URL(url).pathname);
  });
const pathOf = ({ _id }: { _id: string }) => `/posts/details/${_id}`;

test("pages that were read can be read offline, whichever way they were opened", async () => {
  const { page, context } = await openPage(browser, null, { serviceWorkers: "allow" });
  const [unread] = (await call("GET", "/posts?pageNumber=2")).body;
  const fromWorker: string[] = [];
  page.on("response", (response) => {
    if (response.fromServiceWorker()) fromWorker.push(new URL(response.url()).pathname);
  });
  await open(page, "/");
  await expect.poll(() => storedPages(page)).toEqual(["/"]);
  await page.getByRole("article").first().getByRole("heading").getByRole("link").click();
  await leadsTo(page, /^\/posts\/details\//);
  const path = new URL(page.url()).pathname;
  await expectVisible(page.locator(".prose"));
  const heading = await page.getByRole("heading", { level: 1 }).textContent();
  await expect.poll(() => storedPages(page)).toEqual(["/", path]);
  await open(page, "/login");
  await page.goto("/api/docs");

  await context.setOffline(true);
  await open(page, path);
  await expectVisible(page.getByRole("heading", { level: 1, name: heading ?? "" }), page.locator(".prose"));
  await expect
    .poll(() => page.locator("figure picture img").evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBeGreaterThan(0);
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await expectVisible(page.locator(".lead"));
  await open(page, pathOf(unread));
  await expectVisible(page.getByRole("heading", { name: "You are offline" }));
  expect(await violationsOn(page)).toEqual([]);
  await page
    .getByRole("navigation", { name: "You can read" })
    .getByRole("link", { name: heading ?? "" })
    .click();
  await expectVisible(page.locator(".prose"));
  await open(page, pathOf(unread));
  await expectVisible(page.getByRole("heading", { name: "You are offline" }));
  await context.setOffline(false);
  await expectVisible(page.locator(".prose"));
  expect(fromWorker.filter((each) => /^\/(api|graphql)/.test(each))).toEqual([]);
  expect(fromWorker).toContain(path);
  await context.close();
});

test("every change of the session deletes what was read, and a deleted post is deleted here too", async () => {
  const deletedPost = await writePost(writer);
  const { page, context } = await openPage(browser, writer, { serviceWorkers: "allow" });
  await open(page, pathOf(deletedPost));
  await expect.poll(() => storedPages(page)).toEqual([pathOf(deletedPost)]);
  await call("DELETE", `/posts/${deletedPost._id}`, { token: writer.token });
  await open(page, pathOf(deletedPost));
  await expect.poll(() => storedPages(page)).toEqual([]);
  await open(page, pathOf(post));
  await expect.poll(() => storedPages(page)).toEqual([pathOf(post)]);
  await page.getByRole("button", { name: writer.username }).click();
  await page.getByRole("button", { name: "Logout" }).click();
  await expect.poll(() => storedPages(page)).not.toContain(pathOf(post));
  await context.setOffline(true);
  await open(page, pathOf(post));
  await expectVisible(page.getByRole("heading", { name: "You are offline" }));
  await context.close();
});

test("the newest 30 pages are stored", async () => {
  const { page, context } = await openPage(browser, null, { serviceWorkers: "allow" });
  await open(page, "/");
  await expect.poll(() => storedPages(page)).toEqual(["/"]);
  await page.evaluate(async () => {
    const pages = await caches.open("blog-pages");
    const home = (await pages.match("/")) as Response;
    for (let number = 0; number < 35; number++) await pages.put(`/earlier-${number}`, home.clone());
  });
  await page.goto("/posts");
  // The number is 30 before and after the page is stored.
  await expect.poll(async () => (await storedPages(page)).slice(-2)).toEqual(["/earlier-34", "/posts"]);
  await expect.poll(async () => (await storedPages(page)).length).toBe(30);
  await context.close();
});

test("a browser that refuses to store anything shows every page", async () => {
  const { page, context } = await openPage(browser, null, { serviceWorkers: "allow" });
  await page.addInitScript(() => {
    Object.defineProperty(window, "caches", {
      get: () => {
        throw new DOMException("no storage", "SecurityError");
      },
    });
    ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException("no", "SecurityError"));
  });
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await open(page, "/");
  await page.waitForTimeout(2_500);
  await page.getByRole("link", { name: "Posts", exact: true }).click();
  await expectVisible(page.getByRole("heading", { name: "Posts" }));
  expect(errors).toEqual([]);
  await context.close();
});
