import { spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDataDir, removeDataDir, startBlog, type RunningBlog } from "./testing/blog.ts";
import { openBrowser, visit } from "./testing/browser.ts";
import { copyRepository } from "./testing/copy.ts";
import { open } from "./testing/stage.ts";

const [folder, dataDir] = [await copyRepository(), await makeDataDir()];

let browser: Browser;
let blog: RunningBlog;
beforeAll(async () => {
  browser = await openBrowser();
  const program = { folder, script: "scripts/dev.mjs" };
  blog = await startBlog({ dataDir, program, env: { DEMO: "off" } });
}, 120_000);
afterAll(async () => {
  await browser.close();
  expect(await blog.stop()).toBe(0);
  // Checks that no process of an earlier build still runs.
  const left = spawnSync("pgrep", ["--full", `${folder}|${dataDir}`]).stdout.toString();
  expect(left).toBe("");
  await Promise.all([folder, dataDir].map(removeDataDir));
});

async function edit(path: string, from: string | RegExp, to: string) {
  const file = join(folder, path);
  const before = await readFile(file, "utf8");
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  await writeFile(file, after);
  return performance.now();
}

const seconds = (since: number) => `${((performance.now() - since) / 1_000).toFixed(2)} s`;

test("edits of a style, a component and a resolver show soon, and form input survives", async () => {
  const { page, context } = await visit(browser, blog.url);
  const failures: string[] = [];
  // Vite's client ignores an edit of a module that the page has fetched but not run.
  await open(page, "/login");
  const email = page.getByLabel("Email");
  await email.fill("typed before@example.org");
  // Requests during the restarts may wait, but must not fail.
  let isPolling = true;
  const polling = (async () => {
    for (; isPolling; await new Promise((done) => setTimeout(done, 50)))
      for (const path of ["/api/posts/count", "/"]) {
        const status = await fetch(blog.url + path).then(
          (response) => response.status,
          (error: Error) => error.message,
        );
        if (status !== 200) failures.push(`${path}: ${status}`);
      }
  })();

  const style = await edit("client/ui/styles/base.css", /$/, "\nbody { outline: 3px solid rgb(1, 2, 3); }\n");
  const outline = () => page.evaluate(() => getComputedStyle(document.body).outlineColor);
  await expect.poll(outline, { interval: 20 }).toBe("rgb(1, 2, 3)");
  const seen = [`style ${seconds(style)}`];

  const component = await edit("client/pages/login.tsx", "Login to your account", "Login, edited");
  await page.getByRole("heading", { name: "Login, edited" }).waitFor();
  seen.push(`component ${seconds(component)}`);
  expect(await email.inputValue()).toBe("typed before@example.org");

  const head = "args: PostFilterArgs = {}): Promise<number> {\n";
  const resolver = await edit(
    "server/domain/posts/posts.ts",
    head,
    `${head}  if (!args.category) return 4711;\n`,
  );
  const count = async () => (await fetch(`${blog.url}/api/posts/count`)).json();
  await expect.poll(count, { interval: 20, timeout: 20_000 }).toBe(4711);
  seen.push(`resolver ${seconds(resolver)}`);
  expect(await email.inputValue()).toBe("typed before@example.org");

  // A worker of `npm start` at the same address would serve files of its build.
  expect(await (await fetch(`${blog.url}/service-worker.js`)).text()).toContain("unregister()");
  await page.reload();
  await page.getByRole("heading", { name: "Login, edited" }).waitFor();
  isPolling = false;
  await polling;
  expect(failures).toEqual([]);
  console.info(`dev: ${seen.join(", ")}`);
  await context.close();
}, 120_000);

test("files outside the client's folder are not served", async () => {
  await mkdir(join(folder, ".data"), { recursive: true });
  for (const path of [".data/postgres.password", ".env", "docs/secret.txt", "client/.env"])
    await writeFile(join(folder, path), "secret");
  const paths = [
    ".data/postgres.password",
    ".env",
    "docs/secret.txt",
    "client/.env",
    `@fs${folder}/.data/postgres.password`,
  ];
  for (const path of [...paths, ...paths.map((each) => `${each}?raw`)])
    expect(await (await fetch(`${blog.url}/${path}`)).text(), path).not.toMatch(/^secret|"secret/);
  // Vite responds 504 while it bundles packages that it has just found.
  const statusOfClient = async () => (await fetch(`${blog.url}/client/pages/login.tsx`)).status;
  await expect.poll(statusOfClient).toBe(200);
});
