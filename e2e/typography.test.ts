import type { Browser, Locator, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { violationsOn } from "./testing/axe.ts";
import { openBrowser } from "./testing/browser.ts";
import { call, logInAdmin, makeAccount, type Account } from "./testing/people.ts";
import { expectHidden, expectVisible, open, openPage, pictureForm, writeComment } from "./testing/stage.ts";
import { columnsOn, samples, scriptsOn, allElements } from "./testing/typography.ts";

let browser: Browser;
let writer: Account;
let post: { _id: string; user: { _id: string } };

beforeAll(async () => {
  browser = await openBrowser();
  writer = await makeAccount();
  post = await publish("Everything that Markdown has", allElements);
  for (const text of [allElements.slice(0, 900), "One."]) await writeComment(writer, post._id, text);
  await rename(writer.username, `${allElements.slice(0, 600)}\n\nSee https://example.org/me.`);
});
afterAll(() => browser.close());

async function publish(title: string, description: string, category = "Places", image?: Buffer) {
  const form = await pictureForm({ title, category, description });
  if (image) form.set("image", new Blob([new Uint8Array(image)], { type: "image/png" }), "it.png");
  return (await call("POST", "/posts", { token: writer.token, form })).body;
}

const rename = (username: string, bio: string) =>
  call("PUT", `/users/profile/${writer._id}`, { token: writer.token, body: { username, bio } });

const details = () => `/posts/details/${post._id}`;
const sideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

describe("lines", () => {
  test.each([
    [768, 55],
    [1280, 55],
    [1920, 55],
  ])("at %i px hold 55 to 75 characters, on every page", async (width, least) => {
    const { page, context } = await openPage(browser, null, { viewport: { width, height: 900 } });
    // A font that arrives late is not used on the first page (`font-display: optional`).
    await page.goto(details());
    await page.evaluate(() => Promise.all([...document.fonts].map((font) => font.load())));
    for (const path of [details(), `/profile/${writer._id}`, "/", "/posts", "/posts/categories/Food"]) {
      await page.goto(path);
      const { texts, others } = await columnsOn(page);
      if (path.includes(writer._id) || path === details()) expect(texts.length, path).toBeGreaterThan(0);
      for (const { text, characters } of texts) {
        expect(characters, `${path}: ${text}`).toBeGreaterThanOrEqual(least);
        expect(characters, `${path}: ${text}`).toBeLessThanOrEqual(75);
      }
      for (const { text, characters } of others)
        expect(characters, `${path}: ${text}`).toBeLessThanOrEqual(75);
    }
    await context.close();
  });

  test("of comments are smaller than those of the article, with a rem of 16 px", async () => {
    const { page, context } = await openPage(browser, null);
    await page.goto(details());
    const sizeOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((each) => parseFloat(getComputedStyle(each).fontSize));
    expect(await sizeOf("html")).toBe(16);
    expect(await sizeOf(".comment-item .text")).toBeLessThanOrEqual(16);
    expect(await sizeOf(".prose p")).toBeGreaterThan(await sizeOf(".comment-item .text"));
    await context.close();
  });
});

describe("a post with all of Markdown", () => {
  test("has space between its blocks, and tasks without bullets", async () => {
    const { page, context } = await openPage(browser, null);
    await page.goto(details());
    const gaps = await page.evaluate(() => {
      const blocks = "p, ul, ol, pre, blockquote, h2, h3, .table";
      const selector = `.prose :is(${blocks}) + :is(${blocks}), .prose li + li:has(> p)`;
      return [...document.querySelectorAll(selector)].map((block) => ({
        place: `${block.parentElement?.tagName} > ${block.tagName}`,
        text: block.textContent?.trim().slice(0, 30),
        gap: block.getBoundingClientRect().top - block.previousElementSibling!.getBoundingClientRect().bottom,
      }));
    });
    expect(gaps.length).toBeGreaterThan(10);
    expect(gaps.map(({ place }) => place)).toEqual(expect.arrayContaining(["LI > P", "UL > LI"]));
    for (const { text, gap } of gaps.filter(({ text }) => text !== "Footnotes"))
      expect(gap, text).toBeGreaterThanOrEqual(15);
    const bullets = await page
      .locator(".prose li", { has: page.locator("input") })
      .evaluateAll((items) => items.map((item) => getComputedStyle(item).listStyleType));
    expect(bullets).toEqual(["none", "none"]);
    await page.getByRole("link", { name: "the way there" }).click();
    const top = await page
      .locator("#post-a-heading")
      .evaluate((heading) => heading.getBoundingClientRect().top);
    expect(top).toBeGreaterThan(0);
    expect(top).toBeLessThan(200);
    await context.close();
  });

  test("scrolls its table on a phone by keyboard, with whole words and the alignment", async () => {
    const { page, context } = await openPage(browser, null, { viewport: { width: 390, height: 844 } });
    await page.goto(details());
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    const frame = page.getByRole("region", { name: "Table" });
    const lines = await frame.locator("td").evaluateAll((cells) =>
      cells.map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getClientRects().length;
      }),
    );
    expect(lines).toEqual(lines.map(() => 1));
    const numbers = await frame.locator("tr > :nth-child(2)").evaluateAll((cells) =>
      cells.map((cell) => {
        const { textAlign, borderBlockEnd, fontVariantNumeric } = getComputedStyle(cell);
        return [textAlign, borderBlockEnd, fontVariantNumeric].join("; ");
      }),
    );
    expect(numbers).toHaveLength(3);
    for (const style of numbers) expect(style).toMatch(/right; 1px solid .*; .*tabular-nums/);
    await frame.focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => frame.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
    expect(await violationsOn(page)).toEqual([]);
    await context.close();
  });

  test("prints the article and its byline only, in light colours, with the addresses of links", async () => {
    const { page, context } = await openPage(browser, null, { colorScheme: "dark" });
    await page.addInitScript(() => localStorage.setItem("theme", "dark"));
    await open(page, details());
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    // The styles of paper load after the first paint.
    await expectHidden(page.locator(".site-header"));
    const printed = await page.evaluate(() => {
      const plain = (element: Element | null) =>
        (element as HTMLElement).innerText.replace(/\s+/g, " ").trim();
      const { color, colorScheme } = getComputedStyle(document.body);
      const link = document.querySelector(".prose a[href^=http]")!;
      return {
        all: plain(document.body),
        article: ["header", ".prose"]
          .map((part) => plain(document.querySelector(`article ${part}`)))
          .join(" "),
        ...{ color, colorScheme, address: getComputedStyle(link, "::after").content },
      };
    });
    expect(printed.all).toBe(printed.article);
    expect(printed.colorScheme).toBe("light");
    expect(Number(/oklch\(([\d.]+)/.exec(printed.color)?.[1])).toBeLessThan(0.4);
    expect(printed.address).toContain("https://example.org/");
    expect((await page.pdf()).length).toBeGreaterThan(1_000);
    await context.close();
  });
});

test("posts, profiles and lists are printed without forms and navigation, for their owner too", async () => {
  const texts: string[] = [];
  for (const account of [null, writer]) {
    const { page, context } = await openPage(browser, account);
    const print = async (path: string, control: Locator) => {
      await page.emulateMedia({ media: "screen" });
      await open(page, path);
      await expectVisible(control);
      await page.emulateMedia({ media: "print" });
      await expectHidden(page.locator(".site-header, .own-profile, main :is(form, button, nav)"));
    };
    const control = account
      ? page.getByLabel("Select New Image")
      : page.getByRole("link", { name: "Login to like" });
    await print(details(), control);
    texts.push(await page.locator("body").innerText());
    await print("/posts", page.locator(".pager"));
    if (account)
      await print(`/profile/${writer._id}`, page.getByRole("button", { name: "Delete Your Account" }));
    await context.close();
  }
  expect(texts[1]).toBe(texts[0]);
});

test("a portrait keeps its ratio and its size on Details, and is 3:2 in lists", async () => {
  const size = { width: 300, height: 450 };
  const image = await sharp({ create: { ...size, channels: 3, background: "#84a" } })
    .png()
    .toBuffer();
  const { _id } = await publish("A portrait", "It is higher than it is wide.", "Places", image);
  const { page, context } = await openPage(browser, null);
  await page.goto(`/posts/details/${_id}`);
  const shown = await page.locator("figure picture img").boundingBox();
  expect([shown?.width, shown?.height]).toEqual([300, 450]);
  await page.goto("/posts");
  const cover = await page.locator(".post-card .picture").first().boundingBox();
  expect((cover?.width ?? 0) / (cover?.height ?? 1)).toBeCloseTo(1.5, 1);
  await context.close();
});

test.each(samples)("$name is whole and has its direction wherever it shows", async ({ text, direction }) => {
  const admin = await logInAdmin();
  await rename(`${text.slice(0, 90)} ${direction}`, text);
  const category = `${text.slice(0, 80)} ${Date.now()}`;
  await call("POST", "/categories", { token: admin.token, body: { title: category } });
  const { _id } = await publish(text, `${text} ${text}\n\n- ${text}\n\n> ${text}`, category);
  await writeComment(writer, _id, text);
  const { page, context } = await openPage(browser, admin, { viewport: { width: 320, height: 700 } });
  const tables = ["users", "posts", "categories", "comments"].map((noun) => `/admin-dashboard/${noun}-table`);
  const lists = [
    "/",
    "/posts",
    `/posts/categories/${encodeURIComponent(category)}`,
    `/profile/${writer._id}`,
  ];
  for (const path of [...lists, `/posts/details/${_id}`, ...tables]) {
    await open(page, path);
    await page.locator("#main").getByText(text.slice(0, 20)).first().waitFor();
    expect(await sideways(page), path).toBeLessThanOrEqual(0);
    const shown = await scriptsOn(page, text.slice(0, 20));
    expect(shown.length, path).toBeGreaterThan(0);
    for (const each of shown)
      expect(each, `${path} ${each.location}`).toMatchObject({ direction, isAuto: true, isWhole: true });
  }
  await context.close();
});

test("each paragraph of a bio and a comment has the direction of its own script", async () => {
  const parts = ["It begins in English.", "ثم يأتي نص بالعربية!", "ואז טקסט בעברית!", "And English again."];
  const reader = await makeAccount();
  const body = { username: `Mixed ${Date.now()}`, bio: parts.join("\n\n") };
  await call("PUT", `/users/profile/${reader._id}`, { token: reader.token, body });
  await writeComment(reader, post._id, parts.join("\n"));
  const { page, context } = await openPage(browser, null);
  for (const path of [`/profile/${reader._id}`, details()]) {
    await page.goto(path);
    const text = page.locator(":is(.bio, .comment-item .text)", { hasText: parts[3]! }).first();
    const edges = await text.evaluate((element, lines) => {
      const { left, right } = element.getBoundingClientRect();
      const node = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()!;
      return lines.map((line) => {
        const range = document.createRange();
        range.setStart(node, node.textContent!.indexOf(line));
        range.setEnd(node, range.startOffset + line.length);
        const box = range.getBoundingClientRect();
        return box.left - left < 1 ? "left" : right - box.right < 1 ? "right" : "elsewhere";
      });
    }, parts);
    expect(edges, path).toEqual(["left", "right", "right", "left"]);
  }
  await context.close();
});

test.each(samples.filter(({ direction }) => direction === "rtl"))(
  "$name is typed from right to left in every field of a post, and in a comment",
  async ({ text }) => {
    const { page, context } = await openPage(browser, writer);
    const type = async (label: string) => {
      const field = page.getByLabel(label);
      await field.fill(text);
      expect(await field.evaluate((each) => getComputedStyle(each).direction), label).toBe("rtl");
    };
    await open(page, "/posts/create-post");
    for (const label of ["Post Title", "Post Description"]) await type(label);
    await open(page, details());
    await type("Add a comment");
    await context.close();
  },
);

test("a long title takes two lines in the admins' table, and a tooltip shows all of it", async () => {
  const title = "A very long title of many words ".repeat(6).trim();
  await publish(title, "It is read by its title only.");
  const { page, context } = await openPage(browser, await logInAdmin());
  await open(page, "/admin-dashboard/posts-table");
  const shown = page.locator(".clamped", { hasText: title });
  expect(await shown.getAttribute("title")).toBe(title);
  const [height, line, scrollHeight] = await shown.evaluate((each) => [
    each.clientHeight,
    parseFloat(getComputedStyle(each).lineHeight),
    each.scrollHeight,
  ]);
  expect(height).toBeLessThanOrEqual(2 * line! + 1);
  expect(scrollHeight).toBeGreaterThan(height!);
  await context.close();
});
