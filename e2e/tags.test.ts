import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "./testing/browser.ts";
import { call, logInAdmin, makeAccount, type Account } from "./testing/people.ts";
import { expectHidden, expectVisible, leadsTo, open, openPage, writePost } from "./testing/stage.ts";
import { focused } from "./testing/tables.ts";

let browser: Browser;
let writer: Account;
const mark = Date.now().toString(36);

beforeAll(async () => {
  browser = await openBrowser();
  writer = await makeAccount();
  for (const tags of [[`Slat ${mark}`], [`Slate ${mark}`, `Roofs ${mark}`]]) {
    const { _id } = await writePost(writer);
    await call("PUT", `/posts/${_id}`, { token: writer.token, body: { tags } });
  }
});
afterAll(() => browser.close());

test("tags of other posts are suggested while one types, and chosen by keyboard", async () => {
  const { page, context } = await openPage(browser, writer);
  await open(page, "/posts/create-post");
  const field = page.getByRole("combobox", { name: "Tags" });
  await page.getByLabel("Tags").focus();
  await page.keyboard.type(`roofs ${mark}`);
  const option = page.getByRole("option", { name: `Roofs ${mark}` });
  await expectVisible(option);
  await page.keyboard.press("ArrowDown");
  expect(await option.getAttribute("aria-selected")).toBe("true");
  await page.keyboard.press("Enter");
  expect(await field.inputValue()).toBe(`Roofs ${mark}, `);
  await expectHidden(option);
  await context.close();
});

test("an admin renames a tag, and merges one into another: its page holds the posts of both", async () => {
  const { page, context } = await openPage(browser, await logInAdmin());
  const rows = (name: string) => page.getByRole("row").filter({ hasText: name });
  const table = `/admin-dashboard/tags-table?search=${mark}`;
  const dialog = page.getByRole("dialog");
  await open(page, table);
  await rows(`Slat ${mark}`).getByRole("button", { name: "Rename" }).press("Enter");
  await expectVisible(dialog);
  await dialog.getByLabel("Name").fill(`Slates ${mark}`);
  await page.keyboard.press("Enter");
  await expectHidden(dialog);
  await expectVisible(rows(`Slates ${mark}`));
  await expect.poll(async () => (await focused(page))[1]).toBe("Rename");

  await rows(`Slates ${mark}`).getByRole("button", { name: "Merge" }).press("Enter");
  await dialog.getByLabel("Tag that stays").fill(`slate ${mark}`);
  await page.keyboard.press("Enter");
  await expectHidden(dialog, rows(`Slates ${mark}`));
  await rows(`Slate ${mark}`).getByRole("link", { name: "View Posts" }).click();
  await leadsTo(page, `/posts/tags/${encodeURIComponent(`Slate ${mark}`)}`);
  await expect.poll(() => page.getByRole("article").count()).toBe(2);
  await context.close();
});
