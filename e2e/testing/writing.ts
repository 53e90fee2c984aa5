import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { expect } from "vitest";
import { visit } from "./browser.ts";
import { givenBlog } from "./given-blog.ts";
import { logInWriter } from "./people.ts";
import { signedIn } from "./stage.ts";

const { url, email, password } = givenBlog;

const noise = { type: "gaussian", mean: 128, sigma: 50 } as const;
const square = { width: 900, height: 600, channels: 3, background: "#347", noise } as const;

export const makePicture = async () => ({
  name: "square.jpg",
  mimeType: "image/jpeg",
  buffer: await sharp({ create: square }).jpeg({ quality: 90 }).toBuffer(),
});

export async function visitSignedIn(browser: Browser) {
  const visitor = await visit(browser, url, signedIn(await logInWriter()));
  await visitor.page.goto("/");
  return visitor;
}

export async function publish(
  page: Page,
  title: string,
  description = "Ten words or so.",
  image?: Buffer,
): Promise<string> {
  const form = new FormData();
  for (const [name, text] of Object.entries({ title, category: "Places", description })) form.set(name, text);
  const { buffer, name, mimeType: type } = await makePicture();
  form.set("image", new Blob([new Uint8Array(image ?? buffer)], { type }), name);
  const headers = { authorization: `Bearer ${await tokenOf(page)}` };
  const response = await fetch(`${url}/api/posts`, { method: "POST", headers, body: form });
  expect(response.status).toBe(201);
  const posts = (await (await fetch(`${url}/api/posts?pageNumber=1`)).json()) as any[];
  return posts.find((post) => post.title === title)._id;
}

export const tokenOf = (page: Page): Promise<string> =>
  page.evaluate(() => JSON.parse(localStorage.getItem("userInfo") ?? "{}").token);

/** Ends the session on the server only. */
export const endElsewhere = async (page: Page) =>
  fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${await tokenOf(page)}` },
    body: JSON.stringify({ query: "mutation { logout { message } }" }),
  });

export async function logInAgain(page: Page): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Login" }).click();
}

export async function fillPost(page: Page, title: string): Promise<void> {
  await page.getByLabel("Post Title").fill(title);
  await page.getByLabel("Category").selectOption("Places");
  await page.getByLabel("Post Description").fill("Nobody was there but pigeons.");
}

export async function expectPost(page: Page, title: string): Promise<void> {
  await expect.poll(() => page.getByLabel("Post Title").inputValue()).toBe(title);
  await expect.poll(() => page.getByLabel("Category").inputValue()).toBe("Places");
  expect(await page.getByLabel("Post Description").inputValue()).toBe("Nobody was there but pigeons.");
}

export async function slowDown(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytesPerSecond };
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", conditions);
}

export const toast = (page: Page, text: string) => page.locator(".Toastify__toast", { hasText: text });
