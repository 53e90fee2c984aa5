import { execFile } from "node:child_process";
import { readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDataDir, removeDataDir, startBlog } from "./testing/blog.ts";
import { openBrowser, signIn, visit } from "./testing/browser.ts";
import { copyRepository } from "./testing/copy.ts";

const run = promisify(execFile);
const folder = await copyRepository();
const dataDir = await makeDataDir();
const program = { folder, script: "scripts/start.mjs" };

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await Promise.all([folder, dataDir].map(removeDataDir));
});

async function changeProfilePage(from: string, to: string) {
  const file = join(folder, "client/pages/profile.tsx");
  const text = await readFile(file, "utf8");
  expect(text).toContain(from);
  await writeFile(file, text.replace(from, to));
}

const command = (script: string, ...args: string[]) =>
  run(process.execPath, [script, ...args], {
    cwd: folder,
    env: { ...process.env, DATABASE_URL: "", DATA_DIR: dataDir },
  });

async function statusesOf(url: string, build: string) {
  const names = (await readdir(join(build, "client/assets"))).filter((name) => /\.(js|css)$/.test(name));
  expect(names.length).toBeGreaterThan(20);
  return new Set(await Promise.all(names.map(async (name) => (await fetch(`${url}/assets/${name}`)).status)));
}

/** The service workers that are active or wait: each stores the offline page of its build. */
const workersIn = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith("blog-shell-")));

test(
  "commands and builds do not affect a running site, and an open page survives an update",
  {
    timeout: 240_000,
  },
  async () => {
    const blog = await startBlog({ dataDir, program });
    const old = await realpath(join(folder, "dist"));
    const { page, context } = await visit(browser, blog.url, { serviceWorkers: "allow" });
    await signIn(page, "demo@example.com", "read-write-repeat");

    await changeProfilePage("<bdi>{profile.username}</bdi> Posts", "Everything by {profile.username}");
    await command("scripts/blog.mjs", "doctor");
    expect(await realpath(join(folder, "dist"))).toBe(old);
    const prepare = join(folder, "prepare-twice.mjs");
    await writeFile(prepare, 'import { prepare } from "./scripts/prepare.mjs";\nawait prepare();\n');
    const both = await Promise.all([command(prepare), command(prepare)]);
    expect(both.map(({ stdout }) => stdout.includes("building …")).sort()).toEqual([false, true]);
    expect(await realpath(join(folder, "dist"))).not.toBe(old);
    expect(await statusesOf(blog.url, old)).toEqual(new Set([200]));
    await page.getByRole("link", { name: "Create" }).click();
    await page.getByLabel("Post Title").fill("Typed before the update");
    await expect.poll(() => workersIn(page)).toHaveLength(1);
    const [oldWorker] = await workersIn(page);

    const { port } = new URL(blog.url);
    expect(await blog.stop()).toBe(0);
    const next = await startBlog({ dataDir, program, port: Number(port) });
    await page.evaluate(() => Object.assign(window, { wasOpenBefore: true }));
    await page.getByRole("button", { name: "Maya Lindqvist" }).click();
    await page.getByRole("link", { name: "Profile" }).click();
    await page.getByRole("heading", { name: "Everything by Maya Lindqvist" }).waitFor();
    expect(await page.evaluate(() => "wasOpenBefore" in window)).toBe(false);
    await page.getByRole("link", { name: "Create" }).click();
    await expect.poll(() => page.getByLabel("Post Title").inputValue()).toBe("Typed before the update");

    // The new service worker waits for the text, then takes over at the next navigation, which loads the whole page.
    await expect.poll(() => workersIn(page)).toHaveLength(2);
    await page.reload();
    await page.waitForTimeout(3_000);
    expect(await workersIn(page)).toContain(oldWorker);
    await page.getByLabel("Post Title").fill("");
    await expect.poll(() => page.evaluate(() => localStorage.getItem("drafts"))).toBeNull();
    await page.evaluate(() => Object.assign(window, { wasOpenBefore: true }));
    await page.getByRole("link", { name: "Home", exact: true }).click();
    await expect.poll(() => workersIn(page), { timeout: 30_000 }).toHaveLength(1);
    expect(await workersIn(page)).not.toContain(oldWorker);
    expect(await page.evaluate(() => "wasOpenBefore" in window)).toBe(false);
    expect(await next.stop()).toBe(0);

    // Switched off, an installed worker removes itself.
    const env = { OFFLINE_READING: "off" };
    const without = await startBlog({ dataDir, program, port: Number(port), env });
    await page.goto("/");
    const registered = () =>
      page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
    await expect.poll(registered, { timeout: 30_000 }).toBe(0);
    expect(await page.evaluate(() => caches.keys())).toEqual([]);
    await context.close();
    expect(await without.stop()).toBe(0);
  },
);
