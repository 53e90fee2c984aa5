import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBreakouts, watch } from "./testing/breakouts.ts";
import { openBrowser } from "./testing/browser.ts";
import { allPayloads } from "./testing/markdown-payloads.ts";
import { ask, call, makeAccount, type Account } from "./testing/people.ts";
import { open, openPage, pictureForm } from "./testing/stage.ts";

/** Payloads in one text, as a paragraph, in a quote and in a list. */
const BATCH = 40;
const texts = Array.from({ length: Math.ceil(allPayloads.length / BATCH) }, (_, n) =>
  allPayloads
    .slice(n * BATCH, (n + 1) * BATCH)
    .map((payload) => `${payload}\n\n> ${payload}\n\n- ${payload}`)
    .join("\n\n"),
);

let browser: Browser;
let writer: Account;
beforeAll(async () => {
  browser = await openBrowser();
  writer = await makeAccount();
});
afterAll(async () => {
  await browser.close();
  await call("DELETE", `/users/profile/${writer._id}`, { token: writer.token });
});

async function writeDraft(description: string) {
  const { saveDraft } = await ask(
    "mutation ($input: DraftInput!) { saveDraft(input: $input) { id } }",
    { input: { title: "Payloads", description } },
    writer.token,
  );
  const { createPreviewLink } = await ask(
    "mutation ($id: ID!) { createPreviewLink(draftId: $id) { previewUrl } }",
    { id: saveDraft.id },
    writer.token,
  );
  return { id: saveDraft.id as string, link: new URL(createPreviewLink.previewUrl).pathname };
}

async function publish(description: string): Promise<string> {
  const form = await pictureForm({ title: "Payloads", category: "Places", description });
  return (await call("POST", "/posts", { token: writer.token, form })).body._id;
}

async function enter(account: Account | null) {
  const { page, context } = await openPage(browser, account);
  await page.addInitScript(watch);
  return { page, context };
}

async function expectInert(page: Page, where: string): Promise<void> {
  // A text beyond the limits would be shown plain.
  await page.locator(".prose blockquote").first().waitFor();
  expect(await page.evaluate(findBreakouts), where).toEqual([]);
}

describe("no payload of Markdown becomes markup", () => {
  test("on a post's page", async () => {
    const { page, context } = await enter(null);
    for (const [index, text] of texts.entries()) {
      await open(page, `/posts/details/${await publish(text)}`);
      await expectInert(page, `text ${index}`);
    }
    await context.close();
  }, 120_000);

  test("behind a preview link, and in the editor's preview", async () => {
    const [visitor, author] = [await enter(null), await enter(writer)];
    for (const [index, text] of texts.entries()) {
      const { id, link } = await writeDraft(text);
      await open(visitor.page, link);
      await expectInert(visitor.page, `text ${index} behind its link`);
      await open(author.page, `/drafts/${id}`);
      await author.page.getByRole("button", { name: "Preview" }).click();
      await expectInert(author.page, `text ${index} in the editor`);
    }
    await visitor.context.close();
    await author.context.close();
  }, 120_000);
});
