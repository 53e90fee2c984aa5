import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "./testing/browser.ts";
import { givenBlog } from "./testing/given-blog.ts";
import { findEmail, linkIn } from "./testing/outbox.ts";
import { call, logInAdmin, makeAccount } from "./testing/people.ts";
import { expectVisible, leadsTo, open, openPage, pictureFile } from "./testing/stage.ts";

const { outbox } = givenBlog;

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    const label =
      at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement || at instanceof HTMLSelectElement;
    const text =
      (label ? at.labels?.[0]?.textContent : undefined) ??
      at?.getAttribute("aria-label") ??
      (label ? "" : at?.textContent);
    return `${at?.id === "main" ? "main" : at?.tagName.toLowerCase()} ${at?.id === "main" ? "" : text?.trim()}`.trim();
  });

/** Presses the key until the focused element has this name. */
async function tabTo(page: Page, name: string | RegExp, key = "Tab"): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press(key);
    const at = await focused(page);
    if (typeof name === "string" ? at === name : name.test(at)) return;
    passed.push(at.slice(0, 60));
  }
  throw new Error(`no way by ${key} to ${name}; passed: ${passed.join(" | ")}`);
}

/** The same backwards, by Shift+Tab. */
const tabBackTo = (page: Page, name: string | RegExp) => tabTo(page, name, "Shift+Tab");

async function follow(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press("Enter");
}

async function type(page: Page, label: string | RegExp, text: string): Promise<void> {
  // Waits for the field, whose code may load on demand.
  if (typeof label === "string") await page.getByLabel(label.replace(/^\w+ /, "")).first().waitFor();
  await tabTo(page, label);
  await page.keyboard.insertText(text);
}

test("a user registers, signs in, writes, likes and comments with the keyboard alone", async () => {
  const { page, context } = await openPage(browser, null);
  const email = `keys-${Date.now()}@example.org`;
  const username = `Keys ${Date.now()}`;

  await open(page, "/");
  await page.keyboard.press("Tab");
  expect(await focused(page)).toBe("a Skip to content");
  expect(await page.locator(".skip-link").isVisible()).toBe(true);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.querySelector("main")?.contains(document.activeElement))).toBe(
    true,
  );

  await open(page, "/");
  await follow(page, "a Register");
  await leadsTo(page, "/register");
  await expect.poll(() => focused(page)).toBe("main");
  await type(page, "input Username", username);
  await type(page, "input Email", email);
  await type(page, "input Password", "seven blue herons");
  await page.keyboard.press("Enter");
  await expectVisible(page.getByRole("dialog"));
  await expect.poll(() => focused(page)).toBe("button OK");
  await page.keyboard.press("Enter");
  await leadsTo(page, "/login");

  await open(page, linkIn(await findEmail(outbox, email, /^Verify/), /\/users\/\S+\/verify\/\S+/));
  await expectVisible(page.getByText("successfully verified"));
  await follow(page, "a Go To Login Page");
  await leadsTo(page, "/login");
  await type(page, "input Email", email);
  await type(page, "input Password", "seven blue herons");
  await page.keyboard.press("Enter");
  await leadsTo(page, "/");

  await follow(page, "a Create");
  await leadsTo(page, "/posts/create-post");
  await expect.poll(() => focused(page)).toBe("main");
  await expectVisible(page.getByLabel("Post Title"));
  await type(page, "input Post Title", "Typed, not clicked");
  await tabTo(page, /^select/);
  await page.keyboard.type("Places");
  await type(page, /^textarea Post Description/, "Everything on this page has a key.");
  // Playwright cannot use the system's file dialog.
  await page.locator("input[type=file]").setInputFiles(await pictureFile());
  await follow(page, "button Create");
  await leadsTo(page, "/");

  await follow(page, "a Typed, not clicked");
  await leadsTo(page, /^\/posts\/details\//);
  await expect.poll(() => focused(page)).toBe("main");
  await expectVisible(page.getByRole("button", { name: /^Like/ }), page.getByLabel("Add a comment"));
  await tabTo(page, /^button Like/);
  await page.keyboard.press("Space");
  await expect
    .poll(() => page.getByRole("button", { name: /^Like/ }).getAttribute("aria-pressed"))
    .toBe("true");
  await type(page, "textarea Add a comment", "Without a mouse.");
  await follow(page, "button Comment");
  await expectVisible(page.getByRole("listitem").getByText("Without a mouse.", { exact: true }));

  await open(page, "/");
  await follow(page, new RegExp(`^button ${username}`));
  await follow(page, "a Profile");
  await leadsTo(page, /^\/profile\//);
  await context.close();
}, 120_000);

test("a writer drafts, formats, previews and publishes with the keyboard alone", async () => {
  const writer = await makeAccount();
  const { page, context } = await openPage(browser, writer);
  await open(page, "/drafts/new");
  await page.waitForURL(/[0-9a-f]{12}$/);
  await expect.poll(() => focused(page)).toBe("textarea Title");
  await page.keyboard.insertText("Slate");
  await page.keyboard.press("Enter");
  await expect.poll(() => focused(page)).toBe("textarea Text");
  await page.keyboard.type("It splits ");
  await page.keyboard.press("Control+b");
  await page.keyboard.type("well");
  expect(await page.getByLabel("Text", { exact: true }).inputValue()).toBe("It splits **well**");
  await tabBackTo(page, /^select/);
  await page.keyboard.type("Places");
  await tabBackTo(page, "button Preview");
  await page.keyboard.press("Space");
  await expectVisible(page.locator(".prose strong").getByText("well"));
  await follow(page, "button Publish…");
  // Playwright cannot use the system's file dialog.
  await page.locator("input[type=file]").setInputFiles(await pictureFile());
  await follow(page, "button Publish");
  await leadsTo(page, /^\/posts\/details\//);
  await expect.poll(() => focused(page)).toBe("main");

  await page.getByRole("button", { name: "Edit post" }).waitFor();
  await follow(page, "button Edit post");
  await follow(page, "a Edit in full page");
  await page.waitForURL(/\/drafts\//);
  await type(page, "textarea Text", " and lasts");
  await follow(page, "button Update…");
  await follow(page, "button Update");
  await leadsTo(page, /^\/posts\/details\//);
  await expectVisible(page.locator(".prose").getByText("and lasts"));
  await page.getByRole("button", { name: "Edit post" }).waitFor();
  await follow(page, "button Edit post");
  await follow(page, "a Edit in full page");
  await follow(page, "a History");
  await follow(page, "button Restore this version");
  await page.getByRole("dialog").waitFor();
  await follow(page, "button OK");
  await leadsTo(page, /^\/posts\/details\//);
  await expect.poll(() => page.locator(".prose").innerText()).not.toContain("and lasts");
  await context.close();
}, 120_000);

test("an admin adds a category with the keyboard alone", async () => {
  const admin = await logInAdmin();
  const { page, context } = await openPage(browser, admin);
  const title = `Keys ${Date.now()}`;
  await open(page, "/");
  await follow(page, "a Admin Dachboard");
  await leadsTo(page, "/admin-dashboard");
  await expectVisible(page.getByLabel("Category Title"));
  await type(page, "input Category Title", title);
  await page.keyboard.press("Enter");
  await expectVisible(page.getByText("category created successfully"));
  const made = (await call("GET", "/categories")).body.find((each: any) => each.title === title);
  expect(made).toBeTruthy();
  await call("DELETE", `/categories/${made._id}`, { token: admin.token });
  await context.close();
});

test("every page sets its title, and navigation moves the focus to the page", async () => {
  const { page, context } = await openPage(browser, null);
  await open(page, "/");
  const site = await page.title();
  for (const [link, title] of [
    ["Posts", "Posts"],
    ["Login", "Login to your account"],
    ["Register", "Create new account"],
  ] as const) {
    await page.getByRole("banner").getByRole("link", { name: link, exact: true }).click();
    await expect.poll(() => page.title()).toBe(`${title} · ${site}`);
    await expect.poll(() => focused(page)).toBe("main");
  }
  await page.getByRole("banner").getByRole("link", { name: "Posts" }).click();
  const next = page.getByRole("navigation", { name: "Pages" }).getByText("Next");
  await next.scrollIntoViewIfNeeded();
  await next.click();
  await expect.poll(() => page.title()).toBe(`Posts, page 2 · ${site}`);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await context.close();
});
