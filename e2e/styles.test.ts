import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "./testing/browser.ts";
import { gather } from "./testing/routes.ts";
import { expectVisible, open, openPage, toastIn } from "./testing/stage.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test("an admin's menu and account fit in one line of the header at every width", async () => {
  const { people } = await gather();
  const { page, context } = await openPage(browser, people.admin);
  await open(page, "/admin-dashboard");
  for (const width of [737, 768, 832, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    const items = page.locator(".site-header :is(.menu a, .dropdown > button)");
    expect(await items.count()).toBe(5);
    const findTallest = () =>
      items.evaluateAll((all) => Math.max(...all.map((item) => item.getBoundingClientRect().height)));
    // The styles of the account's menu load after the first paint.
    await expect.poll(findTallest, { message: `${width} px` }).toBeLessThan(50);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  await context.close();
});

test("everything to press in header, footer and tables is 24 px high and wide at least", async () => {
  const { people, routes } = await gather();
  const { page, context } = await openPage(browser, people.admin);
  for (const width of [390, 1280])
    for (const [path] of routes.filter(([, who]) => who === "admin")) {
      await page.setViewportSize({ width, height: 800 });
      await open(page, path);
      await page.waitForLoadState("networkidle");
      const small = await page
        .locator(":is(.site-header, .site-footer, .admin-shell nav, .table) :is(a, button)")
        .filter({ visible: true })
        .evaluateAll((targets) =>
          targets.flatMap((target) => {
            const { width, height } = target.getBoundingClientRect();
            return Math.min(width, height) < 24 ? [`${target.textContent}: ${width} x ${height}`] : [];
          }),
        );
      expect(small, `${path} at ${width} px`).toEqual([]);
    }
  await context.close();
});

test("the actions of a table's row are in one line and end on the table's edge", async () => {
  const { people, routes } = await gather();
  const { page, context } = await openPage(browser, people.admin);
  for (const [path] of routes.filter(([route]) => route.endsWith("-table")))
    for (const width of [960, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await open(page, path);
      await page.locator("tbody .actions .button").first().waitFor();
      const { lines, gap } = await page.evaluate(() => {
        const edge = document.querySelector(".table")!.getBoundingClientRect().right;
        const texts = [...document.querySelectorAll("tbody tr:first-child .actions .button")].map(
          (button) => {
            const range = document.createRange();
            range.selectNodeContents(button);
            return range.getBoundingClientRect();
          },
        );
        const tops = new Set(texts.map(({ top }) => Math.round(top)));
        const ends = [...tops].map((top) =>
          Math.max(...texts.filter((text) => Math.round(text.top) === top).map(({ right }) => right)),
        );
        return { lines: tops.size, gap: Math.max(...ends.map((end) => Math.abs(edge - end))) };
      });
      if (width === 1280) expect(lines, path).toBe(1);
      expect(gap, `${path} at ${width} px`).toBeLessThan(3);
    }
  await context.close();
});

test("names and titles of an admin's table of posts are in one line on a laptop", async () => {
  const { people } = await gather();
  const { page, context } = await openPage(browser, people.admin);
  await open(page, "/admin-dashboard/posts-table");
  const texts = page.locator("tbody :is(th .clamped, .minor a)");
  await texts.first().waitFor();
  const long = await texts.evaluateAll((all) =>
    all.flatMap((text) => {
      const range = document.createRange();
      range.selectNodeContents(text.firstChild!);
      // Other test files of the same blog register long names.
      const isShort = text.textContent.length < (text.matches("a") ? 16 : 40);
      return isShort && range.getClientRects().length > 1 ? [text.textContent] : [];
    }),
  );
  expect(long).toEqual([]);
  await context.close();
});

test("the link to the full page has space below it, and the editor's toolbar one row on a phone", async () => {
  const { people } = await gather();
  const { page, context } = await openPage(browser, people.writer);
  await open(page, "/posts/create-post");
  const link = page.getByRole("link", { name: "Write in full page" });
  const [above, below] = [await link.boundingBox(), await page.getByText("Post Title").boundingBox()];
  expect(below!.y - above!.y - above!.height).toBeGreaterThanOrEqual(16);
  for (const width of [360, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await open(page, "/drafts/new");
    const buttons = page.getByRole("toolbar").getByRole("button");
    await buttons.first().waitFor();
    const tops = await buttons.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    expect(new Set(tops).size, `${width} px`).toBe(1);
  }
  await context.close();
});

test("the heading of every page has space above it, in a low window, too", async () => {
  const { people, routes } = await gather();
  for (const role of ["visitor", "writer", "admin"] as const) {
    const { page, context } = await openPage(browser, people[role], {
      viewport: { width: 1280, height: 150 },
    });
    for (const [path] of routes.filter(([route, who]) => who === role && !/^.drafts.|edit/.test(route))) {
      await open(page, path);
      await page.locator("h1").first().waitFor();
      const gap = await page.evaluate(() => {
        const bottom = document.querySelector(".site-header")!.getBoundingClientRect().bottom;
        const tops = [...document.querySelectorAll("#main :is(h1, p, img)")]
          .map((element) => element.getBoundingClientRect())
          .filter(({ width, height }) => width > 1 && height > 1)
          .map(({ top }) => top);
        return Math.min(...tops) - bottom;
      });
      expect(gap, `${role} ${path}`).toBeGreaterThanOrEqual(16);
    }
    await context.close();
  }
}, 120_000);

test("the controls of dialogs have the type of controls, and titles of one size", async () => {
  const { people, routes } = await gather();
  const { page, context } = await openPage(browser, people.writer);
  const styleOf = (selector: string) =>
    page
      .locator(`dialog[open] ${selector}`)
      .first()
      .evaluate((element) => {
        const { fontFamily, fontSize } = getComputedStyle(element);
        return { fontFamily, fontSize };
      });
  const own = routes.filter(([path, who]) => who === "writer" && path.startsWith("/posts/details/"))[1]![0];
  await open(page, own);
  await page.getByRole("button", { name: /edit/i }).first().click();
  await page.getByRole("dialog").getByRole("link", { name: "Edit in full page" }).waitFor();
  expect(await styleOf(".actions a")).toEqual(await styleOf(".actions button"));
  const title = await styleOf("h2");
  await open(page, `/profile/${people.writer!._id}`);
  await page.getByRole("button", { name: "Delete Your Account" }).click();
  await page.getByRole("dialog").getByRole("heading", { name: "Are you sure?" }).waitFor();
  expect(await styleOf("h2")).toEqual(title);
  await context.close();
});

test("the words of the theme switch begin and end on the edges of the page", async () => {
  const { page, context } = await openPage(browser, null);
  await open(page, "/");
  /** The distances of the first and the last word from the footer's edges. */
  const gaps = async (width: number) => {
    await page.setViewportSize({ width, height: 800 });
    return page.evaluate(() => {
      const footer = document.querySelector(".site-footer")!.getBoundingClientRect();
      const words = [...document.querySelectorAll(".theme-switch button")].map((button) => {
        const range = document.createRange();
        range.selectNodeContents(button);
        return range.getBoundingClientRect();
      });
      return [words[0]!.left - footer.left, footer.right - words.at(-1)!.right];
    });
  };
  expect(Math.abs((await gaps(1280))[1]!)).toBeLessThan(1);
  expect(Math.abs((await gaps(320))[0]!)).toBeLessThan(1);
  await context.close();
});

test("a toast stays for five seconds with reduced motion, too", async () => {
  const { page, context } = await openPage(browser, null, { reducedMotion: "reduce" });
  await open(page, "/login");
  await page.getByRole("button", { name: "Login", exact: true }).click();
  const toast = toastIn(page, "Email is required");
  await expectVisible(toast);
  await page.waitForTimeout(3_000);
  expect(await toast.isVisible()).toBe(true);
  await toast.waitFor({ state: "hidden", timeout: 6_000 });
  await context.close();
});

test("the text of a toast ends before its button", async () => {
  const { page, context } = await openPage(browser, null, { viewport: { width: 320, height: 700 } });
  await open(page, "/login");
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await expectVisible(toastIn(page, "Email is required"));
  const [text, button] = await page.locator(".Toastify__toast").evaluate((toast) => {
    const words = document.createTreeWalker(toast, NodeFilter.SHOW_TEXT).nextNode()!;
    words.textContent = "one of ".repeat(40);
    const range = document.createRange();
    range.selectNodeContents(words);
    return [range, toast.querySelector("button")!].map((each) => each.getBoundingClientRect());
  });
  expect(text!.height).toBeGreaterThan(40);
  expect(text!.right).toBeGreaterThan(button!.left - 60);
  expect(text!.right).toBeLessThanOrEqual(button!.left);
  await context.close();
});

/** Navigates as a link of the site does, without a request for the document. */
async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, "", to);
    dispatchEvent(new PopStateEvent("popstate", { state: {} }));
  }, path);
}

/** The look of every heading, field and button of the page. */
const looksOf = (page: Page) =>
  page.evaluate(() => {
    const traits = [
      "color",
      "backgroundColor",
      "fontFamily",
      "fontSize",
      "fontWeight",
      "lineHeight",
      "padding",
    ]
      .concat(["margin", "border", "borderRadius", "display", "position", "minHeight", "letterSpacing"])
      .concat(["textAlign", "textDecoration", "opacity", "boxShadow", "cursor"]);
    const elements = document.querySelectorAll<HTMLElement>(
      "#main :is(h1, h2, h3, input, textarea, select, button, .button)",
    );
    return [...elements].map((element) => {
      const style = getComputedStyle(element) as unknown as Record<string, string>;
      const name = `${element.localName}.${element.className} ${element.textContent.slice(0, 20)}`;
      return `${name}: ${traits.map((trait) => `${trait} ${style[trait]}`).join("; ")}`;
    });
  });

/** The looks that only one of the pages has; null while a page is incomplete. */
async function differences(one: Page, other: Page): Promise<string[] | null> {
  const [first, second] = [await looksOf(one), await looksOf(other)];
  if (first.length === 0) return null;
  return [
    ...first.filter((look) => !second.includes(look)),
    ...second.filter((look) => !first.includes(look)),
  ];
}

test("every page looks the same whether it is loaded directly or reached within the site", async () => {
  const { people, routes } = await gather();
  for (const role of ["visitor", "writer", "admin"] as const) {
    const { page, context } = await openPage(browser, people[role], { reducedMotion: "reduce" });
    await open(page, "/");
    for (const [path] of routes.filter(([, who]) => who === role)) {
      const direct = await context.newPage();
      await open(direct, path);
      await goWithin(page, path);
      await direct.waitForLoadState("networkidle");
      await expect.poll(() => differences(direct, page), { message: `${role} ${path}` }).toEqual([]);
      await direct.close();
    }
    await context.close();
  }
}, 180_000);
