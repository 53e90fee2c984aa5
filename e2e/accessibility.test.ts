import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { violationsOn } from "./testing/axe.ts";
import { openBrowser } from "./testing/browser.ts";
import { writeLongPost } from "./testing/long-post.ts";
import { call, makeAccount, type Account } from "./testing/people.ts";
import { DRAFT, gather, type Role } from "./testing/routes.ts";
import { expectHidden, open, openPage, expectVisible } from "./testing/stage.ts";

let browser: Browser;
let people: Record<Role, Account | null>;
let routes: [string, Role][];
let longPost: { _id: string };

beforeAll(async () => {
  browser = await openBrowser();
  ({ people, routes } = await gather());
  longPost = await writeLongPost(await makeAccount(), "A long wall");
});
afterAll(() => browser.close());

const sideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

async function settled(page: Page, role: Role): Promise<void> {
  await page.locator("#main :is(h1, h2)").first().waitFor();
  if (role !== "visitor") await page.waitForLoadState("networkidle");
  await page.waitForFunction(() => !document.querySelector("#main [aria-busy=true]"));
}

/** The rules that depend on the theme; the others find the same in both. */
const rulesOfColours = ["color-contrast", "link-in-text-block"];

/** Checks what is shown in both themes. */
async function violationsInBothThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const light = await violationsOn(page, { also: ["target-size"] });
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await violationsOn(page, { rules: rulesOfColours });
  return [...light.map((each) => `light: ${each}`), ...dark.map((each) => `dark: ${each}`)];
}

/** Milliseconds of the longest animation or transition with prefers-reduced-motion. */
async function longestMotion(page: Page): Promise<number> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const longest = await page.evaluate(() =>
    Math.max(
      0,
      ...[...document.querySelectorAll("*")].flatMap((element) => {
        const { animationDuration, transitionDuration } = getComputedStyle(element);
        return `${animationDuration},${transitionDuration}`.split(",").map((each) => {
          return parseFloat(each) * (each.trim().endsWith("ms") ? 1 : 1000);
        });
      }),
    ),
  );
  await page.emulateMedia({ reducedMotion: "no-preference" });
  return longest;
}

/** Zooming a laptop to 200 % makes its window half as wide and high. */
async function sidewaysWhenZoomed(page: Page): Promise<number> {
  const before = page.viewportSize()!;
  await page.setViewportSize({ width: 640, height: 400 });
  const beyond = await sideways(page);
  await page.setViewportSize(before);
  return beyond;
}

async function openDialogs(page: Page, path: string, names: string[]): Promise<void> {
  await open(page, path);
  for (const name of names) {
    await page.getByRole("button", { name }).first().click();
    await expectVisible(page.getByRole("dialog"));
    expect(await violationsInBothThemes(page), name).toEqual([]);
    expect(await sideways(page), name).toBeLessThanOrEqual(0);
    await page.keyboard.press("Escape");
    await expectHidden(page.getByRole("dialog"));
  }
}

describe.concurrent.each([320, 1280])("at %i px, light and dark", (width) => {
  const options = { viewport: { width, height: 800 } };

  test.each(["visitor", "writer", "admin"] as const)(
    "no page of a %s has axe violations, scrolls sideways even at 200 % zoom, or moves without consent",
    async (role) => {
      const { page, context } = await openPage(browser, people[role], options);
      const found: Record<string, string[]> = {};
      for (const [path] of routes.filter(([, who]) => who === role)) {
        await open(page, path);
        await settled(page, role);
        const wrong = await violationsInBothThemes(page);
        if (wrong.length) found[path] = wrong;
        expect(await sideways(page), path).toBeLessThanOrEqual(0);
        if (width === 320) continue;
        expect(await sidewaysWhenZoomed(page), path).toBeLessThanOrEqual(0);
        expect(await longestMotion(page), path).toBeLessThanOrEqual(1);
      }
      expect(found).toEqual({});
      await context.close();
    },
    180_000,
  );

  test("menus, dialogs and form errors have no axe violations", async () => {
    const { page, context } = await openPage(browser, people.writer, options);
    const { username = "", _id = "" } = people.writer ?? {};
    await open(page, "/");
    if (width < 700) {
      await page.getByRole("button", { name: "Open menu" }).click();
      expect(await violationsInBothThemes(page)).toEqual([]);
    }
    await page.getByRole("button", { name: username }).click();
    expect(await violationsInBothThemes(page)).toEqual([]);
    const own = (await call("GET", `/users/profile/${_id}`)).body.posts[0];
    await openDialogs(page, `/profile/${_id}`, ["Update Profile", "Delete Your Account"]);
    await openDialogs(page, `/posts/details/${own._id}`, ["Edit post", "Delete post"]);
    await open(page, "/posts/create-post");
    await page.locator("#main").getByRole("button", { name: "Create", exact: true }).click();
    await expectVisible(page.locator(".Toastify__toast"), page.locator(".field .error"));
    expect(await violationsInBothThemes(page)).toEqual([]);
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    await context.close();
  });

  test("the editor's forms, and its choice between two texts, have no axe violations", async () => {
    const { page, context } = await openPage(browser, people.writer, options);
    const owner = people.writer?._id ?? "";
    await open(page, `/drafts/${DRAFT}`);
    await page.getByRole("button", { name: "Publish…" }).click();
    await page.getByLabel("Publish at a time").check();
    await page.getByRole("button", { name: "Schedule" }).click();
    await expectVisible(page.locator(".field .error"));
    expect(await violationsInBothThemes(page)).toEqual([]);
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    // An open editor would delete the copy.
    await open(page, "/");
    const copy = { title: "Salt", category: "", description: "Written elsewhere", version: "0" };
    await page.evaluate((drafts) => localStorage.setItem("drafts", JSON.stringify(drafts)), {
      owner,
      forms: { [`draft ${DRAFT}`]: copy },
    });
    await open(page, `/drafts/${DRAFT}`);
    await expectVisible(page.getByRole("heading", { name: "This draft was changed in two places" }));
    expect(await violationsInBothThemes(page)).toEqual([]);
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    await context.close();
  });

  test("search results, suggested tags, contents, and large pictures have no axe violations", async () => {
    const { page, context } = await openPage(browser, people.writer, options);
    const expectNone = async (shown: string) => {
      expect(await violationsInBothThemes(page), shown).toEqual([]);
      expect(await sideways(page), shown).toBeLessThanOrEqual(0);
    };
    await open(page, "/posts/create-post");
    await page.getByLabel("Tags", { exact: true }).pressSequentially("bre");
    await expectVisible(page.getByRole("listbox", { name: "Suggested tags" }));
    await page.keyboard.press("ArrowDown");
    await expectNone("suggested tags");
    await open(page, `/posts/details/${longPost._id}`);
    await page.keyboard.press("/");
    await page.getByRole("combobox").pressSequentially("bread");
    await expectVisible(page.getByRole("listbox", { name: "Results" }));
    await page.keyboard.press("ArrowDown");
    await expectNone("search results");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Copy" }).waitFor();
    if (width < 1000) await page.getByText("Contents", { exact: true }).click();
    await expectVisible(page.getByRole("navigation", { name: "Contents" }).getByRole("link"));
    await expectNone("contents and code");
    await page.getByRole("button", { name: "Enlarge: A wall" }).click();
    await expectVisible(page.getByRole("dialog"));
    await expectNone("a large picture");
    await context.close();
  });

  test("an admin's confirmation dialogs have no axe violations", async () => {
    const { page, context } = await openPage(browser, people.admin, options);
    for (const noun of ["User", "Post", "Category", "Comment"]) {
      const table = noun === "Category" ? "categories" : `${noun.toLowerCase()}s`;
      await openDialogs(page, `/admin-dashboard/${table}-table`, [`Delete ${noun}`]);
    }
    await openDialogs(page, "/admin-dashboard/tags-table", ["Rename", "Merge"]);
    await context.close();
  }, 120_000);
});
