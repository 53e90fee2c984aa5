import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, visit } from "./testing/browser.ts";
import { givenBlog } from "./testing/given-blog.ts";
import { writeLongPost } from "./testing/long-post.ts";
import { makeAccount } from "./testing/people.ts";
import { expectHidden, expectVisible, leadsTo, open, writePost } from "./testing/stage.ts";

const { url } = givenBlog;

let browser: Browser;
let path: string;
let earlier: { title: string };
let later: { _id: string; title: string };

beforeAll(async () => {
  browser = await openBrowser();
  const writer = await makeAccount();
  earlier = await writePost(writer);
  const post = await writeLongPost(writer, "A wall of many words");
  path = `/posts/details/${post._id}`;
  later = await writePost(writer);
});
afterAll(() => browser.close());

/** Opens the post and waits for the tools of its text, whose code loads when the page is used. */
async function openWithTools(page: Page): Promise<void> {
  await open(page, path);
  const copy = page.getByRole("button", { name: "Copy" });
  // The page listens to the pointer a moment after hydration.
  await expect
    .poll(async () => {
      await page.mouse.move(5, 5);
      await page.mouse.move(9, 9);
      return copy.count();
    })
    .toBe(1);
}

const topOf = (page: Page, heading: string) =>
  page
    .locator(".prose")
    .getByRole("heading", { name: heading })
    .evaluate((element) => element.getBoundingClientRect().top);

const isFocused = (element: Element) => element === document.activeElement;

test.each([390, 1280])("a long text has a table of contents (%i px)", async (width) => {
  const { page, context, complaints } = await visit(browser, url, { viewport: { width, height: 800 } });
  await open(page, path);
  const contents = page.getByRole("navigation", { name: "Contents" });
  const link = contents.getByRole("link", { name: "The sea" }).filter({ visible: true });
  if (width < 1000) {
    expect(await link.count()).toBe(0);
    await contents.getByText("Contents").press("Enter");
  }
  await expectVisible(link);
  await link.click();
  await expect.poll(() => topOf(page, "The sea")).toBeLessThan(200);
  expect(await topOf(page, "The sea")).toBeGreaterThan(0);
  expect(new URL(page.url()).hash).toBe("#post-the-sea");
  // Beside the text it stays while one reads.
  if (width > 1000) expect((await contents.boundingBox())!.y).toBeGreaterThan(60);
  expect(complaints).toEqual([]);
  await context.close();
});

test("headings link to themselves, and a button copies code", async () => {
  const { page, context, complaints } = await visit(browser, url, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await openWithTools(page);
  const anchor = page.getByRole("link", { name: "Link to “The code”" });
  await anchor.focus();
  await page.keyboard.press("Enter");
  expect(new URL(page.url()).hash).toBe("#post-the-code");
  await page.getByRole("button", { name: "Copy" }).press("Enter");
  await expectVisible(page.getByRole("button", { name: "Copied" }));
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("const tides = 2;\n");
  expect(complaints).toEqual([]);
  await context.close();
});

test("pictures open large by keyboard; arrow keys change them, and Escape gives the focus back", async () => {
  const { page, context, complaints } = await visit(browser, url);
  await openWithTools(page);
  const opener = page.getByRole("button", { name: "Enlarge: A wall" });
  await opener.press("Enter");
  const dialog = page.getByRole("dialog");
  const shown = () => dialog.getByRole("img").getAttribute("alt");
  expect(await shown()).toBe("A wall");
  const { width, height } = (await dialog.boundingBox())!;
  expect([width, height]).toEqual([1280, 800]);
  await page.keyboard.press("ArrowRight");
  expect(await shown()).toBe("The sea");
  await page.keyboard.press("ArrowRight");
  expect(await shown()).toBe("A wall");
  await dialog.getByRole("button", { name: "Previous picture" }).press("Enter");
  expect(await shown()).toBe("The sea");
  await expect
    .poll(() => dialog.getByRole("img").evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBeGreaterThanOrEqual(900);
  await page.keyboard.press("Escape");
  await expectHidden(dialog);
  expect(await opener.evaluate(isFocused)).toBe(true);
  expect(complaints).toEqual([]);
  await context.close();
});

test("a tap closes a large picture, and a swipe leads to the next one", async () => {
  const { page, context } = await visit(browser, url, {
    viewport: { width: 390, height: 800 },
    hasTouch: true,
  });
  await openWithTools(page);
  const opener = page.getByRole("button", { name: "Enlarge: A wall" });
  const dialog = page.getByRole("dialog");
  await opener.tap();
  await expectVisible(dialog);
  await page.touchscreen.tap(195, 400);
  await expectHidden(dialog);
  await opener.tap();
  await expectVisible(dialog);
  const touch = await context.newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", x?: number) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: x === undefined ? [] : [{ x, y: 400 }] });
  await send("touchStart", 300);
  for (const x of [250, 180, 100]) await send("touchMove", x);
  await send("touchEnd");
  await expect.poll(() => dialog.getByRole("img").getAttribute("alt")).toBe("The sea");
  await context.close();
});

test("sharing copies the post's address, or opens the system's dialog", async () => {
  const { page, context } = await visit(browser, url, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await page.addInitScript(() => delete (Navigator.prototype as Partial<Navigator>).share);
  await open(page, path);
  await page.getByRole("button", { name: "Share" }).press("Enter");
  await expectVisible(page.getByText("Link copied"));
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url + path);
  await page.evaluate(() => {
    navigator.share = (data) => Promise.resolve(void Object.assign(window, { shared: data }));
  });
  await page.getByRole("button", { name: "Share" }).click();
  expect(await page.evaluate(() => (window as any).shared)).toEqual({
    title: "A wall of many words",
    url: url + path,
  });
  await context.close();
});

test("a bar beside the text shows how much was read, and a link leads back to the top", async () => {
  const { page, context } = await visit(browser, url);
  await open(page, path);
  const bar = () =>
    page.locator(".post-article").evaluate((article) => {
      const { transform, width } = getComputedStyle(article, "::after");
      return { read: new DOMMatrix(transform).d, width };
    });
  expect(await bar()).toEqual({ read: 0, width: "3px" });
  const [edge] = await page
    .locator(".prose p")
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x));
  expect(edge).toBeGreaterThan(3);
  const link = page.getByRole("link", { name: "Back to top" });
  await link.scrollIntoViewIfNeeded();
  await expect.poll(async () => (await bar()).read).toBeGreaterThan(0.9);
  await link.click();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await context.close();
});

test("below a post are the author's previous and next one, and related ones", async () => {
  const { page, context, complaints } = await visit(browser, url);
  await open(page, path);
  const neighbours = page.getByRole("navigation", { name: "By the same author" });
  await expectVisible(neighbours.getByRole("link", { name: earlier.title }));
  const related = page.getByRole("region", { name: "Related posts" }).getByRole("link");
  expect(await related.count()).toBeGreaterThan(0);
  // The comments below begin with a line.
  const last = page.locator(".related-posts li").last();
  expect(await last.evaluate((item) => getComputedStyle(item).borderBlockEndWidth)).toBe("0px");
  await neighbours.getByRole("link", { name: later.title }).click();
  await leadsTo(page, `/posts/details/${later._id}`);
  await expectVisible(page.getByRole("heading", { level: 1, name: later.title }));
  await page.getByRole("region", { name: "Related posts" }).getByRole("link").first().click();
  await expect.poll(() => page.url()).not.toContain(later._id);
  expect(complaints).toEqual([]);
  await context.close();
});
