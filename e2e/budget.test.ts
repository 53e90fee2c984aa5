import { brotliCompressSync } from "node:zlib";
import type { Browser, Response } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "./testing/browser.ts";
import { call, logInWriter, type Account } from "./testing/people.ts";
import { openPage } from "./testing/stage.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Strings that only occur in the code for writers and admins. */
const notForReaders = ["Create New Post", "Select A Category", "Add New Category", "Delete Category"];

/** Returns the scripts of a cold load until the network is idle, and their size in bytes, compressed as by a CDN. */
async function weigh(path: string, account: Account | null) {
  const { page, context } = await openPage(browser, account);
  const scripts: Response[] = [];
  page.on("response", (response) => {
    if (response.url().endsWith(".js")) scripts.push(response);
  });
  await page.goto(path, { waitUntil: "networkidle" });
  const bodies = await Promise.all(scripts.map((each) => each.body()));
  await context.close();
  const bytes = bodies.reduce((sum, body) => sum + brotliCompressSync(body).length, 0);
  return { count: bodies.length, bytes, code: bodies.join("\n") };
}

test("readers load scripts within the budget, and none for writers and admins", async () => {
  const writer = await logInWriter();
  // Another account's post: its author would load the tools to edit it.
  const posts = (await call("GET", "/posts")).body as { _id: string; user: { _id: string } }[];
  const post = posts.find(({ user }) => user._id !== writer._id);
  for (const [who, account, limit] of [
    ["visitor", null, 130_000],
    ["signed in", writer, 150_000],
  ] as const)
    for (const path of ["/", "/posts", `/posts/details/${post?._id}`]) {
      const { count, bytes, code } = await weigh(path, account);
      console.log(`${who}, ${path}: ${count} scripts, ${(bytes / 1000).toFixed(1)} kB`);
      expect(count).toBeGreaterThan(0);
      expect(bytes, `${who} ${path}`).toBeLessThanOrEqual(limit);
      expect(notForReaders.filter((text) => code.includes(text))).toEqual([]);
    }
});
