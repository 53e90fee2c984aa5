import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, signIn, visit } from "./testing/browser.ts";
import { givenBlog } from "./testing/given-blog.ts";

const { url, email, password } = givenBlog;
const CAMERA_PHOTO = resolve("../shared/data/pictures/DSCN0010.jpg");

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** A real photo if the sample files are beside the project, else one with the same metadata. */
async function cameraPhoto() {
  if (existsSync(CAMERA_PHOTO)) return CAMERA_PHOTO;
  const gps = { IFD3: { GPSLatitudeRef: "N", GPSLatitude: "43/1 28/1 281/100" } };
  const buffer = await sharp({ create: { width: 900, height: 600, channels: 3, background: "#347" } })
    .withExif(gps)
    .jpeg()
    .toBuffer();
  return { name: "camera.jpg", mimeType: "image/jpeg", buffer };
}

test("a new user signs in, publishes a post with a camera photo, likes, saves, comments and follows, and a reload shows it", async () => {
  const { page, context, complaints } = await visit(browser, url);
  await signIn(page, email, password);
  await page.getByRole("link", { name: "Create", exact: true }).click();
  await page.getByLabel("Post Title").fill("A walk with a camera");
  await page.getByLabel("Category").selectOption("Places");
  await page
    .getByLabel("Post Description")
    .fill("It was **early**.\n\n## The square\n\nNobody was there but pigeons.");
  await page.getByLabel("Picture").setInputFiles(await cameraPhoto());
  await page.getByRole("button", { name: "Create" }).click();
  await page.waitForURL("**/");

  const first = page.getByRole("article").first();
  await expect.poll(() => first.getByRole("heading").textContent()).toBe("A walk with a camera");
  await first.getByRole("heading").getByRole("link").click();
  await page.waitForURL("**/posts/details/*");
  const like = page.getByRole("button", { name: /^Like/ });
  await like.click();
  await expect.poll(() => like.getAttribute("aria-pressed")).toBe("true");
  const save = page.getByRole("button", { name: "Save this post" });
  await save.click();
  await expect.poll(() => save.getAttribute("aria-pressed")).toBe("true");
  await page.getByLabel("Add a comment").fill("I was there too.");
  await page.getByRole("button", { name: "Comment" }).click();
  await page.getByText("I was there too.", { exact: true }).and(page.locator("p")).waitFor();

  await page.reload();
  await page.getByRole("heading", { name: "A walk with a camera", level: 1 }).waitFor();
  await expect.poll(() => like.getAttribute("aria-pressed")).toBe("true");
  expect(await page.getByText("1 likes").count()).toBe(1);
  expect(await page.getByRole("heading", { name: "1 Comments" }).count()).toBe(1);
  expect(await page.getByRole("heading", { name: "The square", level: 2 }).count()).toBe(1);
  await expectCleanFiles(page.url().split("/").at(-1) ?? "");
  await page.locator(".dropdown > button").click();
  await page.getByRole("link", { name: "Your bookmarks" }).click();
  await page.getByRole("heading", { name: "A walk with a camera", level: 3 }).waitFor();
  await page.getByRole("link", { name: "Places" }).first().click();
  const follow = page.getByRole("button", { name: "Follow Places" });
  await follow.click();
  await expect.poll(() => follow.getAttribute("aria-pressed")).toBe("true");
  await page.getByRole("link", { name: "Posts", exact: true }).click();
  await page.getByRole("link", { name: "Following" }).click();
  await page.getByRole("heading", { name: "A walk with a camera", level: 3 }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

/** Checks that every width and format is upright and contains no location or camera metadata. */
async function expectCleanFiles(id: string): Promise<void> {
  const query = `{ post(id: "${id}") { image { url srcset width height } } }`;
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  const { image } = ((await response.json()) as any).data.post;
  const addresses = [image.url, ...image.srcset.split(", ").map((each: string) => each.split(" ")[0])];
  expect(addresses.length).toBeGreaterThan(1);
  for (const address of addresses) {
    const file = await fetch(address);
    expect(file.headers.get("cache-control")).toContain("immutable");
    const metadata = await sharp(Buffer.from(await file.arrayBuffer())).metadata();
    expect(metadata.exif, address).toBeUndefined();
    expect(metadata.orientation, address).toBeUndefined();
    expect(metadata.width / metadata.height).toBeCloseTo(image.width / image.height, 1);
  }
}

test("ten quick clicks on like over a slow network end in the state of the tenth", async () => {
  const { page, context, complaints } = await visit(browser, url);
  await signIn(page, email, password);
  await page.goto("/posts?page=3");
  await page.getByRole("article").first().getByRole("heading").getByRole("link").click();
  const like = page.getByRole("button", { name: /^Like/ });
  await like.waitFor();
  await page.reload({ waitUntil: "networkidle" });
  const before = await like.getAttribute("aria-pressed");
  const settle = watchCalls(page);
  await page.route("**/graphql", async (route) => {
    await new Promise((done) => setTimeout(done, 300));
    await route.continue();
  });
  for (let click = 0; click < 10; click++) await like.click();
  expect(await like.getAttribute("aria-pressed")).toBe(before);
  await like.click();
  expect(await like.getAttribute("aria-pressed")).not.toBe(before);
  await settle();
  await page.unrouteAll({ behavior: "wait" });
  await page.reload();
  await expect.poll(() => like.getAttribute("aria-pressed")).not.toBe(before);
  expect(complaints).toEqual([]);
  await context.close();
});

/** @returns waits until no request is running or follows */
function watchCalls(page: Page): () => Promise<void> {
  let underWay = 0;
  page.on("request", () => underWay++);
  page.on("requestfinished", () => underWay--);
  page.on("requestfailed", () => underWay--);
  return async () => {
    do await page.waitForTimeout(700);
    while (underWay > 0);
  };
}

test("a failed like is rolled back with a message", async () => {
  const { page, context } = await visit(browser, url);
  await signIn(page, email, password);
  await page.goto("/posts?page=4");
  await page.getByRole("article").first().getByRole("heading").getByRole("link").click();
  const like = page.getByRole("button", { name: /^Like/ });
  await like.waitFor();
  await page.reload({ waitUntil: "networkidle" });
  const before = await like.getAttribute("aria-pressed");
  await page.route("**/graphql", (route) => route.abort());
  await like.click();
  await page.getByText("The server cannot be reached").waitFor();
  expect(await like.getAttribute("aria-pressed")).toBe(before);
  await context.close();
});
