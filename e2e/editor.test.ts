import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "./testing/browser.ts";
import { endElsewhere, logInAgain, makePicture, visitSignedIn } from "./testing/writing.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const words = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word}${index}`).join(" ");
const text = (page: Page) => page.getByLabel("Text", { exact: true });
const status = (page: Page) => page.locator(".save-status");

async function openNewDraft(page: Page): Promise<string> {
  await page.goto("/drafts/new");
  await page.waitForURL(/[0-9a-f]{12}$/);
  await text(page).focus();
  return page.url();
}

async function expectRestored(page: Page, typed: string, after: string): Promise<void> {
  await expect.poll(() => text(page).inputValue()).toBe(typed);
  const restored = (await text(page).inputValue()).length;
  console.log(`${after}: ${typed.length} characters typed, ${restored} restored`);
}

describe("every word is there again", () => {
  test("after the tab was closed while typing", async () => {
    const { page, context, complaints } = await visitSignedIn(browser);
    const address = await openNewDraft(page);
    const typed = words(200, "walk");
    await page.keyboard.type(typed);
    await page.close();
    const next = await context.newPage();
    await next.goto("/drafts");
    await next.locator(`a[href="${new URL(address).pathname}"]`).click();
    await expectRestored(next, typed, "closed tab");
    await expect.poll(() => status(next).textContent()).toMatch(/^Saved \d\d:\d\d$/);
    expect(await next.evaluate(() => localStorage.getItem("drafts"))).toBeNull();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("after a time offline, and on the server as soon as the network is back", async () => {
    const { page, context } = await visitSignedIn(browser);
    await openNewDraft(page);
    await page.keyboard.type("On the train. ");
    await expect.poll(() => status(page).textContent()).toMatch(/^Saved/);
    await context.setOffline(true);
    const typed = words(200, "tunnel");
    await page.keyboard.type(typed);
    await expect.poll(() => status(page).textContent()).toBe("Offline: kept in this browser");
    await context.setOffline(false);
    await expect.poll(() => status(page).textContent()).toMatch(/^Saved/);
    await page.evaluate(() => localStorage.removeItem("drafts"));
    await page.reload();
    await expectRestored(page, `On the train. ${typed}`, "offline");
    await context.close();
  });

  test("after two tabs and two browsers wrote in one draft", async () => {
    const { page, context } = await visitSignedIn(browser);
    const address = await openNewDraft(page);
    const other = await context.newPage();
    await other.goto(address);
    const first = words(100, "left");
    await page.keyboard.type(first);
    await expect.poll(() => text(other).inputValue()).toBe(first);
    await text(other).focus();
    await other.keyboard.press("Control+End");
    const second = words(100, "right");
    await other.keyboard.type(` ${second}`);
    await expectRestored(page, `${first} ${second}`, "two tabs");
    await expect.poll(() => status(other).textContent()).toMatch(/^Saved/);
    await other.close();

    const elsewhere = await visitSignedIn(browser);
    await elsewhere.page.goto(address);
    await text(elsewhere.page).fill("From another device");
    await expect.poll(() => status(elsewhere.page).textContent()).toMatch(/^Saved/);
    await text(page).focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" and more");
    await page.getByRole("heading", { name: "This draft was changed in two places" }).waitFor();
    await page
      .getByRole("group", { name: /^Text: Saved/ })
      .getByText("From another device")
      .waitFor();
    await page.getByRole("button", { name: "Keep both" }).click();
    await expectRestored(page, `${first} ${second} and more`, "two browsers");
    await expect.poll(() => status(page).textContent()).toMatch(/^Saved/);
    await page.goto("/drafts");
    await page.getByText("From another device").waitFor();
    await elsewhere.context.close();
    await context.close();
  });

  test("after the session expired", async () => {
    const { page, context } = await visitSignedIn(browser);
    const address = await openNewDraft(page);
    await endElsewhere(page);
    const typed = words(20, "late");
    await page.keyboard.type(typed);
    await page.waitForURL("**/login");
    await logInAgain(page);
    await page.waitForURL(address);
    await expectRestored(page, typed, "expired session");
    await context.close();
  });
});

test("a pasted picture is uploaded, inserted, and shown by the preview", async () => {
  const { page, context, complaints } = await visitSignedIn(browser);
  await openNewDraft(page);
  await page.keyboard.type("A wall.");
  const { buffer, name, mimeType } = await makePicture();
  await text(page).evaluate(
    (area, file) => {
      const clipboardData = new DataTransfer();
      const bytes = Uint8Array.from(atob(file.base64), (each) => each.charCodeAt(0));
      clipboardData.items.add(new File([bytes], file.name, { type: file.mimeType }));
      area.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    },
    { base64: buffer.toString("base64"), name, mimeType },
  );
  // The focus is in the description; Enter sends the form.
  await page.getByRole("img", { name: "The picture you chose" }).waitFor();
  await page.keyboard.type("Slate");
  await page.keyboard.press("Enter");
  await expect
    .poll(() => text(page).inputValue())
    .toMatch(/^A wall\.\n\n!\[Slate\]\(\/media\/\S+\.jpg\)\n\n$/);
  await page.keyboard.type("More.");
  await page.getByRole("button", { name: "Preview" }).click();
  const picture = page.getByRole("img", { name: "Slate" });
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(100);
  expect(complaints).toEqual([]);
  await context.close();
});

test("what was copied from a web page is pasted as Markdown, and can be undone", async () => {
  const { page, context, complaints } = await visitSignedIn(browser);
  await openNewDraft(page);
  await page.keyboard.type("Before. ");
  await text(page).evaluate((area) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "Moss, here");
    clipboardData.setData(
      "text/html",
      `<h2 style="color: red">Moss</h2><p onclick="alert(1)"><span style="font-weight: 700">here</span>
        <img src="https://a.example/x.png" onerror="alert(1)"><script>alert(1)</script></p>`,
    );
    area.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect.poll(() => text(page).inputValue()).toBe("Before. ## Moss\n\n**here**");
  await page.keyboard.press("Control+z");
  expect(await text(page).inputValue()).toBe("Before. ");
  expect(complaints).toEqual([]);
  await context.close();
});
