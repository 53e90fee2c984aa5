import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "./testing/browser.ts";
import { givenBlog } from "./testing/given-blog.ts";
import { expectPost, fillPost, makePicture, slowDown, toast, visitSignedIn } from "./testing/writing.ts";

const { url } = givenBlog;
const picture = await makePicture();

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const countPosts = async () => (await fetch(`${url}/api/posts/count`)).json();

describe("an upload", () => {
  test("shows progress, warns before leaving, and can be cancelled without losing input", async () => {
    const { page, context, complaints } = await visitSignedIn(browser);
    await page.goto("/posts/create-post", { waitUntil: "networkidle" });
    const before = await countPosts();
    await fillPost(page, "Too slow");
    await page.getByLabel("Picture").setInputFiles(picture);
    await slowDown(page, 60_000);
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const bar = page.getByRole("progressbar", { name: "Upload" });
    await expect.poll(async () => Number(await bar.getAttribute("value"))).toBeGreaterThan(0);
    await page.getByText(/Uploading, \d+ percent/).waitFor({ state: "attached" });
    const dialogOpened = page.waitForEvent("dialog");
    await page.close({ runBeforeUnload: true });
    const question = await dialogOpened;
    expect(question.type()).toBe("beforeunload");
    await question.dismiss();
    await page.getByRole("button", { name: "Cancel" }).click();
    await toast(page, "The upload was cancelled").waitFor();
    expect(await bar.count()).toBe(0);
    await expectPost(page, "Too slow");
    expect(await countPosts()).toBe(before);
    await slowDown(page, -1);
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.waitForURL("**/");
    await page.getByRole("heading", { name: "Too slow" }).first().waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("that fails shows an error and keeps the input", async () => {
    const { page, context } = await visitSignedIn(browser);
    await page.goto("/posts/create-post", { waitUntil: "networkidle" });
    await fillPost(page, "No luck");
    await page.getByLabel("Picture").setInputFiles(picture);
    await page.route("**/graphql**", (route) => route.abort());
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await toast(page, "The server cannot be reached").waitFor();
    await expectPost(page, "No luck");
    await page.getByRole("img", { name: "The picture you chose" }).waitFor();
    expect(await page.getByRole("button", { name: "Create", exact: true }).isEnabled()).toBe(true);
    await context.close();
  });

  test("accepts dropped and pasted pictures, and rejects other files with a message", async () => {
    const { page, context, complaints } = await visitSignedIn(browser);
    await page.goto("/posts/create-post", { waitUntil: "networkidle" });
    const give = (kind: "drop" | "paste", type: string, name: string, size = 10) =>
      page.getByLabel("Picture").evaluate(
        (input, [kind, type, name, size]) => {
          const data = new DataTransfer();
          data.items.add(new File([new Uint8Array(Number(size))], String(name), { type: String(type) }));
          const options = { bubbles: true, cancelable: true };
          if (kind === "drop") input.dispatchEvent(new DragEvent("drop", { ...options, dataTransfer: data }));
          else document.body.dispatchEvent(new ClipboardEvent("paste", { ...options, clipboardData: data }));
        },
        [kind, type, name, size] as const,
      );
    const chosen = () =>
      page.getByLabel("Picture").evaluate((input: HTMLInputElement) => input.files?.[0]?.name);
    await give("drop", "image/png", "dropped.png");
    await expect.poll(chosen).toBe("dropped.png");
    await give("paste", "image/png", "pasted.png");
    await expect.poll(chosen).toBe("pasted.png");
    await page.getByRole("img", { name: "The picture you chose" }).waitFor();
    await give("drop", "application/pdf", "letter.pdf");
    await page.locator(".field").getByText("This file is not a picture we can show").waitFor();
    await give("drop", "image/png", "huge.png", 11 * 1024 * 1024);
    await page.locator(".field").getByText("This picture has 11.0 MB").waitFor();
    expect(await chosen()).toBe("pasted.png");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("of a profile photo shows everywhere at once", async () => {
    const { page, context, complaints } = await visitSignedIn(browser);
    const id = await page.evaluate(() => JSON.parse(localStorage.getItem("userInfo") ?? "{}")._id as string);
    await page.goto(`/profile/${id}`);
    await page.getByRole("button", { name: "upload" }).click();
    await toast(page, "ther is no file!").waitFor();
    const photo = page.getByRole("banner").first().locator(".avatar").first();
    const before = await photo.getAttribute("src");
    await page.getByLabel("Choose a photo").setInputFiles(picture);
    await page.getByRole("button", { name: "upload" }).click();
    await toast(page, "your profile photo uploaded successfully").waitFor();
    expect(await photo.getAttribute("src")).not.toBe(before);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
