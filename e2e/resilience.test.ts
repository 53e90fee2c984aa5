import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openEmbeddedPostgres } from "../server/data/embedded/embedded-postgres.ts";
import { makeDataDir, removeDataDir, startBlog } from "./testing/blog.ts";
import { openBrowser, visit } from "./testing/browser.ts";
import { call, logInWriter } from "./testing/people.ts";
import { leadsTo, expectHidden, open, openPage, expectVisible, toastIn } from "./testing/stage.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const UNREACHABLE = "The server cannot be reached, please check your connection and try again";

test("offline a notice shows and input stays, and sending works once the network is back", async () => {
  const { page, context } = await openPage(browser, await logInWriter());
  const [post] = (await call("GET", "/posts?pageNumber=2")).body;
  await open(page, `/posts/details/${post._id}`);
  const like = page.getByRole("button", { name: /^Like/ });
  await expectVisible(like, page.getByLabel("Add a comment"));
  await page.waitForLoadState("networkidle");
  const before = await like.getAttribute("aria-pressed");

  await context.setOffline(true);
  await expectVisible(page.getByText(/^You are offline\./));
  await like.click();
  await expectVisible(toastIn(page, UNREACHABLE));
  await expect.poll(() => like.getAttribute("aria-pressed")).toBe(before);
  await page.getByRole("button", { name: "close" }).click();
  await expectHidden(toastIn(page, UNREACHABLE));
  await page.getByLabel("Add a comment").fill("Written in a tunnel.");
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await expectVisible(toastIn(page, UNREACHABLE));
  expect(await page.getByLabel("Add a comment").inputValue()).toBe("Written in a tunnel.");

  await context.setOffline(false);
  await expectHidden(page.getByText(/^You are offline\./));
  await context.close();
});

test("a failed page load can be retried, and is retried by itself when the network is back", async () => {
  const { page, context } = await openPage(browser, null);
  await open(page, "/posts");
  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  const next = page.getByRole("navigation", { name: "Pages" }).getByText("Next");
  await next.click();
  await leadsTo(page, "/posts?page=2");
  await expectVisible(page.getByRole("alert").getByText(UNREACHABLE));
  await page.getByRole("button", { name: "Try again" }).click();
  await expectVisible(page.getByRole("alert").getByText(UNREACHABLE));
  await context.setOffline(false);
  await expectVisible(page.getByRole("article"));
  await expectHidden(page.getByRole("alert").getByText(UNREACHABLE));
  await context.close();
});

test("going back restores the scroll position", async () => {
  const { page, context } = await openPage(browser, null);
  await open(page, "/posts");
  const last = page.getByRole("article").last().getByRole("heading").getByRole("link");
  await last.evaluate((link) => link.scrollIntoView({ block: "center", behavior: "instant" }));
  const before = await page.evaluate(() => scrollY);
  expect(before).toBeGreaterThan(250);
  await last.click();
  await leadsTo(page, /^\/posts\/details\//);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await page.evaluate(() => scrollTo(0, 900));
  await page.goBack();
  await leadsTo(page, "/posts");
  await expectVisible(page.getByRole("article"));
  await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(Math.round(before));
  await context.close();
});

test("toasts stay while focused", async () => {
  const { page, context } = await openPage(browser, null);
  await open(page, "/login");
  await page.getByRole("button", { name: "Login" }).click();
  const toast = page.locator(".Toastify__toast");
  await page.locator(".Toastify__toast:not(.Toastify--animate)").waitFor();
  await toast.getByRole("button", { name: "close" }).focus();
  await page.waitForTimeout(6_500);
  expect(await toast.count()).toBe(1);
  await page.getByLabel("Email").focus();
  await toast.waitFor({ state: "detached" });
  await context.close();
});

test("the theme follows the system until one is chosen, and the choice is marked and stored", async () => {
  const { page, context } = await openPage(browser, null, { colorScheme: "dark" });
  await open(page, "/");
  const group = page.getByRole("group", { name: "Theme" });
  const chosen = () => group.locator("[aria-pressed=true]").textContent();
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  await expect.poll(chosen).toBe("System");
  expect(await scheme()).toBe("light dark");
  const other = await context.newPage();
  await open(other, "/");
  for (const name of ["Light", "Dark"]) {
    await group.getByRole("button", { name }).click();
    expect(await chosen()).toBe(name);
    expect(await scheme()).toBe(name.toLowerCase());
    await expect
      .poll(() => other.evaluate(() => document.documentElement.dataset["theme"]))
      .toBe(name.toLowerCase());
    await page.reload();
    expect(await scheme()).toBe(name.toLowerCase());
    await expect.poll(chosen).toBe(name);
  }
  await group.getByRole("button", { name: "System" }).click();
  expect(await page.evaluate(() => localStorage.getItem("theme"))).toBeNull();
  expect(await scheme()).toBe("light dark");
  await context.close();
});

test("without the database pages show an outage, hydrate without a mismatch and offer a retry", async () => {
  const home = await makeDataDir();
  const dataDir = await makeDataDir();
  const server = await openEmbeddedPostgres(home, () => {});
  const blog = await startBlog({ dataDir, env: { DATABASE_URL: server.url, DEMO: "off" } });
  onTestFinished(async () => {
    blog.process.kill("SIGKILL");
    await Promise.all([home, dataDir].map(removeDataDir));
  });
  const postmaster = Number((await readFile(join(home, "postgres/postmaster.pid"), "utf8")).split("\n")[0]);
  process.kill(postmaster, "SIGINT");
  await expect
    .poll(() => fetch(`${blog.url}/ready`).then(({ status }) => status), { timeout: 10_000 })
    .toBe(503);
  const { page, context, complaints } = await visit(browser, blog.url);
  for (const path of [
    "/",
    "/posts",
    "/posts/categories/Food",
    "/profile/01a1fcd7-d52f-700c-ad83-9081ac08279b",
  ]) {
    expect((await open(page, path))?.status(), path).toBe(503);
    await expectVisible(page.getByRole("heading", { name: "Back in a moment" }));
  }
  const again = page.waitForResponse((response) => response.request().isNavigationRequest());
  await page.getByRole("button", { name: "Try again" }).click();
  expect((await again).status()).toBe(503);
  await open(page, "/");
  expect(complaints.filter((text) => !text.includes("503 (Service Unavailable)"))).toEqual([]);
  await page.getByRole("link", { name: "Login", exact: true }).click();
  await expectVisible(page.getByLabel("Email"));
  await context.close();
}, 180_000);
