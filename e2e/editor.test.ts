import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { violationsOn } from "./testing/axe.ts";
import { openBrowser, visit } from "./testing/browser.ts";
import { givenBlog } from "./testing/given-blog.ts";
import { endElsewhere, logInAgain, makePicture, slowDown, toast, visitSignedIn } from "./testing/writing.ts";

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

/** Types 200 words, in the middle of which the session expires. */
async function writeThroughExpiry(page: Page): Promise<string> {
  await endElsewhere(page);
  const [first, second] = [words(100, "early"), ` ${words(100, "late")}`];
  await page.keyboard.type(first);
  await expect
    .poll(() => status(page).textContent())
    .toMatch(/^Your session has ended: kept in this browser/);
  await page.keyboard.type(second);
  expect(await text(page).inputValue()).toBe(first + second);
  return first + second;
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

  test("after the session expired: writing goes on, and what is written is saved after the login", async () => {
    const { page, context } = await visitSignedIn(browser);
    const address = await openNewDraft(page);
    const typed = await writeThroughExpiry(page);
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole("link", { name: "Log in" }).click();
    await page.waitForURL("**/login");
    await page.getByText(/^Your session has ended. Your text is kept/).waitFor();
    await logInAgain(page);
    await page.waitForURL(address);
    await expectRestored(page, typed, "expired session");
    await expect.poll(() => status(page).textContent()).toMatch(/^Saved/);
    await context.close();
  });

  test("after the session expired, and another tab logged in: the open editor saves", async () => {
    const { page, context } = await visitSignedIn(browser);
    await openNewDraft(page);
    const typed = await writeThroughExpiry(page);
    const other = await context.newPage();
    await other.goto("/login");
    await logInAgain(other);
    await expect.poll(() => status(page).textContent()).toMatch(/^Saved/);
    await text(page).press("!");
    await expect.poll(() => status(page).textContent()).toMatch(/^Saved/);
    await page.reload();
    await expectRestored(page, `${typed}!`, "expired session, login in another tab");
    await context.close();
  });
});

/** Pastes or drops a picture, or several, into the text. */
type Picture = Awaited<ReturnType<typeof makePicture>>;

async function give(page: Page, kind: "paste" | "drop", picture: Picture, count = 1): Promise<void> {
  const { buffer, name, mimeType } = picture;
  await text(page).evaluate(
    (area, { kind, count, ...file }) => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob(file.base64), (each) => each.charCodeAt(0));
      for (let n = 0; n < count; n++) data.items.add(new File([bytes], file.name, { type: file.mimeType }));
      const options = { bubbles: true, cancelable: true };
      area.dispatchEvent(
        kind === "paste"
          ? new ClipboardEvent("paste", { ...options, clipboardData: data })
          : new DragEvent("drop", { ...options, dataTransfer: data }),
      );
    },
    { kind, count, base64: buffer.toString("base64"), name, mimeType },
  );
}

test("a pasted picture is uploaded, inserted, and shown by the preview", async () => {
  const { page, context, complaints } = await visitSignedIn(browser);
  await openNewDraft(page);
  await page.keyboard.type("A wall.");
  const wall = await makePicture();
  await give(page, "paste", wall);
  // The focus is in the description; Enter sends the form.
  await page.getByRole("img", { name: "The picture you chose" }).waitFor();
  await page.keyboard.type("Slate");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Image" }).click();
  expect(await page.getByLabel(/^Description/).inputValue()).toBe("");
  await page.keyboard.press("Escape");
  await give(page, "paste", wall);
  // Closed by mistake: the same picture has its words.
  await expect.poll(() => page.getByLabel(/^Description/).inputValue()).toBe("Slate");
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

test("dropped pictures are uploaded one by one, with progress; a cancelled upload keeps the words", async () => {
  const { page, context, complaints } = await visitSignedIn(browser);
  await openNewDraft(page);
  await page.keyboard.type("Walls.");
  await slowDown(page, 60_000);
  await give(page, "drop", await makePicture(), 2);
  const dialog = page.getByRole("dialog", { name: "Insert a picture" });
  await dialog.getByLabel(/^Description/).fill("Slate");
  await dialog.getByLabel("Caption").fill("North side");
  await dialog.getByRole("button", { name: "Insert" }).click();
  const bar = dialog.getByRole("progressbar", { name: "Upload" });
  await expect.poll(async () => Number(await bar.getAttribute("value"))).toBeGreaterThan(0);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await toast(page, "The upload was cancelled").waitFor();
  expect(await text(page).inputValue()).toBe("Walls.");
  expect(await dialog.getByLabel(/^Description/).inputValue()).toBe("Slate");
  await slowDown(page, -1);
  await dialog.getByRole("button", { name: "Insert" }).click();
  await expect.poll(() => dialog.getByLabel(/^Description/).inputValue()).toBe("");
  await dialog.getByLabel(/^Description/).fill("Moss");
  await dialog.getByRole("button", { name: "Insert" }).click();
  await dialog.waitFor({ state: "detached" });
  const path = String.raw`\/media\/\S+\.jpg`;
  expect(await text(page).inputValue()).toMatch(
    new RegExp(String.raw`^Walls\.\n\n!\[Slate\]\(${path} "North side"\)\n\n!\[Moss\]\(${path}\)\n\n$`),
  );
  expect(complaints).toEqual([]);
  await context.close();
});

test("a preview link shows the draft in a private window until it is revoked", async () => {
  const { page, context, complaints } = await visitSignedIn(browser);
  await openNewDraft(page);
  await page.keyboard.type("For the editor alone.");
  await expect.poll(() => status(page).textContent()).toMatch(/^Saved/);
  // What was read before the link was made arrives late.
  await page.route("**/graphql**", async (route) => {
    const response = await route.fetch();
    if ((await response.text()).includes('"previewUrl":null'))
      await new Promise((done) => setTimeout(done, 1_500));
    await route.fulfill({ response });
  });
  await page.getByRole("button", { name: "Publish…" }).click();
  await page.getByRole("button", { name: "Create a preview link" }).click();
  const link = await page.getByLabel("Preview link").inputValue();
  await page.waitForTimeout(2_000);
  expect(await page.getByLabel("Preview link").inputValue()).toBe(link);
  await page.unrouteAll({ behavior: "wait" });
  const visitor = await visit(browser, givenBlog.url);
  await visitor.page.goto(new URL(link).pathname);
  await visitor.page.getByText("For the editor alone.").waitFor();
  await page.getByRole("button", { name: "Revoke the link" }).click();
  await page.getByRole("button", { name: "Create a preview link" }).waitFor();
  await visitor.page.reload();
  await visitor.page.getByText("This preview link does not exist any more").waitFor();
  expect(await visitor.page.getByText("For the editor alone.").count()).toBe(0);
  expect(complaints).toEqual([]);
  await visitor.context.close();
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
