import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, signIn } from "./testing/browser.ts";
import { givenBlog } from "./testing/given-blog.ts";
import {
  endElsewhere,
  expectPost,
  fillPost,
  logInAgain,
  makePicture,
  publish,
  toast,
  visitSignedIn,
} from "./testing/writing.ts";

const { email, password } = givenBlog;
const picture = await makePicture();

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const draftPictures = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const open = indexedDB.open("keyval-store");
        open.onupgradeneeded = () => open.result.createObjectStore("keyval");
        open.onsuccess = () => {
          const count = open.result.transaction("keyval").objectStore("keyval").count();
          count.onsuccess = () => resolve(count.result);
        };
      }),
  );

async function writeWithPicture(page: Page, title: string): Promise<void> {
  await page.goto("/posts/create-post");
  await fillPost(page, title);
  await page.getByLabel("Picture").setInputFiles(picture);
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Maya Lindqvist" }).click();
  await page.getByRole("button", { name: "Logout" }).click();
  await page.waitForURL("**/");
}

async function expectNoDraftAfterLogin(page: Page): Promise<void> {
  await signIn(page, email, password);
  await page.goto("/posts/create-post", { waitUntil: "networkidle" });
  expect(await page.getByLabel("Post Title").inputValue()).toBe("");
  expect(await page.getByRole("img", { name: "The picture you chose" }).count()).toBe(0);
}

describe("a draft", () => {
  test("of a post survives a reload and a closed tab, picture included, until it is discarded", async () => {
    const { page, context, complaints } = await visitSignedIn(browser);
    await page.goto("/posts/create-post");
    await fillPost(page, "Not finished yet");
    await page.getByLabel("Picture").setInputFiles(picture);
    await page.getByRole("img", { name: "The picture you chose" }).waitFor();
    await page.reload();
    await expectPost(page, "Not finished yet");
    await page.getByRole("img", { name: "The picture you chose" }).waitFor();
    await page.getByLabel("Post Title").fill("Nearly finished");
    await page.close({ runBeforeUnload: true });
    const next = await context.newPage();
    await next.goto("/posts/create-post");
    await expectPost(next, "Nearly finished");
    await next.getByRole("button", { name: "Discard" }).click();
    await expect.poll(() => next.getByLabel("Post Title").inputValue()).toBe("");
    expect(await next.getByRole("img", { name: "The picture you chose" }).count()).toBe(0);
    await next.reload();
    await next.getByLabel("Post Title").waitFor();
    expect(await next.getByLabel("Post Title").inputValue()).toBe("");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("in a full page keeps what was chosen for its publication when the form is closed, and after a reload", async () => {
    const { page, context, complaints } = await visitSignedIn(browser);
    await page.goto("/drafts/new");
    await page.waitForURL(/[0-9a-f]{12}$/);
    await page.getByLabel("Title", { exact: true }).fill("Chosen before");
    await page.getByLabel("Category").selectOption("Places");
    await page.getByLabel("Text", { exact: true }).fill("Ten words or so.");
    const toggle = page.getByRole("button", { name: "Publish…" });
    const chosen = page.getByRole("img", { name: "The picture you chose" });
    await toggle.click();
    await page.getByLabel("Picture", { exact: true }).setInputFiles(picture);
    await chosen.waitFor();
    await page.getByLabel("Description of the picture").fill("A square");
    await page.getByLabel("Tags").fill("Squares");
    await toggle.click();
    await chosen.waitFor({ state: "detached" });
    await expect.poll(() => draftPictures(page)).toBe(1);
    await expect.poll(() => page.locator(".save-status").textContent()).toMatch(/^Saved/);
    await page.reload();
    await toggle.click();
    await chosen.waitFor();
    expect(await page.getByLabel("Description of the picture").inputValue()).toBe("A square");
    expect(await page.getByLabel("Tags").inputValue()).toBe("Squares");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.waitForURL("**/posts/details/**");
    await page.getByRole("link", { name: "Squares" }).first().waitFor();
    expect(await page.getByRole("img", { name: "A square" }).count()).toBeGreaterThan(0);
    await expect.poll(() => draftPictures(page)).toBe(0);
    expect(await page.evaluate(() => localStorage.getItem("drafts"))).toBeNull();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("of a post survives an expired session, and can be published after logging in", async () => {
    const { page, context } = await visitSignedIn(browser);
    await page.goto("/posts/create-post");
    await fillPost(page, "Written for long");
    await page.getByLabel("Picture").setInputFiles(picture);
    await endElsewhere(page);
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.waitForURL("**/login");
    await toast(page, "Your session has ended").waitFor();
    expect(await page.locator(".Toastify__toast").count()).toBe(1);
    await page.getByText(/^Your session has ended. Your text is kept/).waitFor();
    await logInAgain(page);
    await page.waitForURL("**/posts/create-post");
    await expectPost(page, "Written for long");
    await page.getByRole("img", { name: "The picture you chose" }).waitFor();
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.waitForURL("**/");
    const notice = page.getByRole("status").getByText("Your post is published");
    await notice.waitFor();
    const link = await page.getByRole("status").getByRole("link").getAttribute("href");
    await notice.waitFor({ state: "detached", timeout: 20_000 });
    await page.goto(link ?? "");
    await page.getByRole("heading", { level: 1, name: "Written for long" }).waitFor();
    await page.goto("/posts/create-post");
    await page.getByLabel("Post Title").waitFor();
    expect(await page.getByLabel("Post Title").inputValue()).toBe("");
    await context.close();
  });

  test("of a comment survives an expired session, and is restored after logging in", async () => {
    const { page, context } = await visitSignedIn(browser);
    const id = await publish(page, "Worth a comment");
    await page.goto(`/posts/details/${id}`);
    await page.getByLabel("Add a comment").fill("A long thought");
    await endElsewhere(page);
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.getByRole("link", { name: "to write a comment you should login first" }).click();
    await logInAgain(page);
    await page.waitForURL(`**/posts/details/${id}`);
    await expect.poll(() => page.getByLabel("Add a comment").inputValue()).toBe("A long thought");
    await context.close();
  });

  test("of a comment keeps the text of each tab, and the writer chooses one", async () => {
    const { page, context } = await visitSignedIn(browser);
    const path = `/posts/details/${await publish(page, "Seen in two tabs")}`;
    const other = await context.newPage();
    for (const tab of [page, other]) await tab.goto(path);
    const textIn = (tab: Page) => tab.getByLabel("Add a comment");
    await textIn(page).waitFor();
    await textIn(other).fill("From the second tab");
    await expect.poll(() => textIn(page).inputValue()).toBe("From the second tab");
    await textIn(page).fill("From the first tab");
    await other.getByText(/^Another tab has a different text/).waitFor();
    expect(await textIn(other).inputValue()).toBe("From the second tab");
    await other.getByRole("button", { name: "Keep this one" }).click();
    await page.getByText(/^Another tab has a different text/).waitFor();
    await other.reload();
    await expect.poll(() => textIn(other).inputValue()).toBe("From the second tab");
    await context.close();
  });

  test("is deleted on logout, for this and any other account", async () => {
    const { page, context } = await visitSignedIn(browser);
    await writeWithPicture(page, "For nobody else");
    await logOut(page);
    await expect.poll(() => page.evaluate(() => localStorage.getItem("drafts"))).toBeNull();
    await expectNoDraftAfterLogin(page);
    await context.close();
  });

  test("is deleted by the next page of a tab that leaves its page during logout", async () => {
    const { page, context } = await visitSignedIn(browser);
    await writeWithPicture(page, "Nearly left behind");
    await page.getByRole("img", { name: "The picture you chose" }).waitFor();
    await expect.poll(() => draftPictures(page)).toBe(1);
    await context.route("**/delete-drafts-*", (route) => route.abort());
    await logOut(page);
    await context.unrouteAll();
    await page.goto("/");
    await expect.poll(() => draftPictures(page)).toBe(0);
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem("drafts-deletion"))).toBeNull();
    await expectNoDraftAfterLogin(page);
    await context.close();
  });

  test("that is written after a logout whose deletion could not finish is kept", async () => {
    const { page, context } = await visitSignedIn(browser);
    await context.route("**/delete-drafts-*", (route) => route.abort());
    await logOut(page);
    await signIn(page, email, password);
    await writeWithPicture(page, "After the logout");
    await expect.poll(() => draftPictures(page)).toBe(1);
    await context.unrouteAll();
    await page.reload();
    await expectPost(page, "After the logout");
    await page.getByRole("img", { name: "The picture you chose" }).waitFor();
    await context.close();
  });

  test("whose publication was not answered is published once", async () => {
    const { page, context } = await visitSignedIn(browser);
    await page.goto("/posts/create-post");
    await fillPost(page, "Published once");
    await page.getByLabel("Picture").setInputFiles(picture);
    await page.route("**/graphql", async (route) => {
      const response = await route.fetch();
      if ((await response.text()).includes('"publishDraft"')) await route.abort();
      else await route.fulfill({ response });
    });
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByText("The server cannot be reached").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.waitForURL("**/");
    await page.getByRole("heading", { name: "Published once" }).first().waitFor();
    await page.reload({ waitUntil: "networkidle" });
    expect(await page.getByRole("article").filter({ hasText: "Published once" }).count()).toBe(1);
    await page.goto("/drafts", { waitUntil: "networkidle" });
    expect(await page.getByText("Published once").count()).toBe(0);
    await context.close();
  });

  test("can be sent without browser storage", async () => {
    const { page, context, complaints } = await visitSignedIn(browser);
    await page.addInitScript(() => {
      const setItem = Storage.prototype.setItem;
      Storage.prototype.setItem = function (key: string, text: string) {
        if (key === "drafts") throw new DOMException("full", "QuotaExceededError");
        setItem.call(this, key, text);
      };
      indexedDB.open = () => {
        throw new DOMException("private", "InvalidStateError");
      };
    });
    await page.goto("/posts/create-post");
    await fillPost(page, "From a private window");
    await page.getByLabel("Picture").setInputFiles(picture);
    await page.waitForTimeout(500);
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.waitForURL("**/");
    await page.getByRole("heading", { name: "From a private window" }).first().waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
