import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import sharp from "sharp";
import { expect } from "vitest";
import { openContext } from "./browser.ts";
import { givenBlog } from "./given-blog.ts";
import { call, type Account } from "./people.ts";

type StorageState = Exclude<
  NonNullable<Parameters<Browser["newContext"]>[0]>["storageState"],
  string | undefined
>;

const { url } = givenBlog;

/** What a browser has stored after a sign-in. */
export function signedIn({ password: _, ...session }: Account): { storageState: StorageState } {
  const localStorage = [{ name: "userInfo", value: JSON.stringify(session) }];
  return { storageState: { cookies: [], origins: [{ origin: url, localStorage }] } };
}

export async function openPage(
  browser: Browser,
  account: Account | null,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await openContext(browser, { baseURL: url, ...(account && signedIn(account)), ...options });
  return { page: await context.newPage(), context };
}

/** Opens a path and waits for hydration, and for its effects, which handle keys. */
export async function open(page: Page, path: string) {
  const response = await page.goto(path);
  await page.waitForFunction(
    () =>
      Object.keys(document.querySelector(".layout") ?? {}).some((key) => key.startsWith("__reactProps")) &&
      !("early" in window),
  );
  return response;
}

export async function expectVisible(...targets: Locator[]): Promise<void> {
  // Counts as an assertion, and unlike a poll works in concurrent tests.
  for (const target of targets) await expect(target.first().waitFor()).resolves.toBeUndefined();
}

/** Waits until the targets are absent or invisible. */
export async function expectHidden(...targets: Locator[]): Promise<void> {
  for (const target of targets)
    await target.filter({ visible: true }).first().waitFor({ state: "hidden", timeout: 10_000 });
}

export const toastIn = (page: Page, text: string): Locator =>
  page.locator(".Toastify__toast").getByText(text, { exact: true });

export async function leadsTo(page: Page, path: string | RegExp): Promise<void> {
  const where = () => {
    const { pathname, search } = new URL(page.url());
    return pathname + search;
  };
  await expect
    .poll(where, { timeout: 10_000 })
    .toEqual(typeof path === "string" ? path : expect.stringMatching(path));
}

export const storedUser = (page: Page): Promise<any> =>
  page.evaluate(() => JSON.parse(localStorage.getItem("userInfo") ?? "null"));

const picture = () =>
  sharp({ create: { width: 320, height: 240, channels: 3, background: "#2a6" } })
    .png()
    .toBuffer();

export const pictureFile = async () => ({ name: "me.png", mimeType: "image/png", buffer: await picture() });

export async function pictureForm(fields: Record<string, string> = {}): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("image", new Blob([new Uint8Array(await picture())], { type: "image/png" }), "me.png");
  return form;
}

let posts = 0;

export async function writePost({ token }: Account): Promise<any> {
  const form = await pictureForm({
    title: `Proof ${++posts} of ${Date.now().toString(36)}`,
    category: "Places",
    description: "It is here to be read, liked and deleted.",
  });
  return (await call("POST", "/posts", { token, form })).body;
}

export const writeComment = async ({ token }: Account, postId: string, text = "I was there."): Promise<any> =>
  (await call("POST", "/comments", { token, body: { postId, text } })).body;
