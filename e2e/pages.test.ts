import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openBrowser, signIn, visit } from "./testing/browser.ts";
import { givenBlog } from "./testing/given-blog.ts";
import { open } from "./testing/stage.ts";

const { url, email, password } = givenBlog;

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const readPosts = async () => (await (await fetch(`${url}/api/posts?pageNumber=1`)).json()) as any[];

describe("a visitor", () => {
  test("sees a post's title, text, author and comments without JavaScript", async () => {
    const posts = (await (await fetch(`${url}/api/posts`)).json()) as any[];
    const { _id: id } = posts.at(-1);
    const post = (await (await fetch(`${url}/api/posts/${id}`)).json()) as any;
    const { page, context } = await visit(browser, url, { javaScriptEnabled: false });
    await page.goto(`/posts/details/${id}`);
    expect(await page.title()).toContain(post.title);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(post.title);
    expect(await page.getByRole("link", { name: post.user.username }).count()).toBeGreaterThan(0);
    expect(post.comments.length).toBeGreaterThan(0);
    for (const { text } of post.comments) expect(await page.getByText(text, { exact: true }).count()).toBe(1);
    expect(await page.locator(".prose").textContent()).toContain(post.description.slice(0, 40));
    await context.close();
  });

  test("sees home, posts, pager, category, details and 404 without console messages", async () => {
    const { page, context, complaints } = await visit(browser, url);
    await page.goto("/");
    await page.getByRole("heading", { name: "Welcome to Blog" }).waitFor();
    expect(await page.getByRole("article").count()).toBe(3);
    await page.getByRole("link", { name: "See All Posts" }).click();
    await page.waitForURL("**/posts");
    const pager = page.getByRole("navigation", { name: "Pages" });
    expect(await pager.getByText("Previous").getAttribute("aria-disabled")).toBe("true");
    await pager.getByRole("link", { name: "Next" }).click();
    await page.waitForURL("**/posts?page=2");
    await expect.poll(() => pager.locator("[aria-current]").textContent()).toBe("2");
    await page
      .getByRole("complementary")
      .getByRole("link", { name: /^Books/ })
      .click();
    await page.getByRole("heading", { name: "Posts based on Books" }).waitFor();
    await page.goto(`/posts/categories/${encodeURIComponent("no/such % thing?")}`);
    await page.getByText("Posts with no/such % thing? category not found").waitFor();
    await page.getByRole("link", { name: "Go to posts Page" }).click();
    await page.waitForURL("**/posts");
    const missing = await page.goto("/nowhere");
    expect(missing?.status()).toBe(404);
    await page.getByRole("heading", { name: "Page Not Found" }).waitFor();
    await page.getByRole("link", { name: "Go to home page" }).click();
    await page.getByRole("heading", { name: "Welcome to Blog" }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("has the right canonical address and feeds after navigation, and no preview of another page", async () => {
    const { page, context, complaints } = await visit(browser, url);
    const addressOf = (rel: string) => page.locator(`head link[rel="${rel}"]`).first().getAttribute("href");
    const preview = page.locator('head meta[property^="og:"], head script[type="application/ld+json"]');
    // Before hydration the link would load the page of the profile, with previews of its own.
    await open(page, "/posts?page=2&from=elsewhere");
    expect(await addressOf("canonical")).toBe(`${url}/posts?page=2`);
    expect(await preview.count()).toBeGreaterThan(5);
    await page.locator("article .meta").first().getByRole("link").first().click();
    await page.waitForURL("**/profile/*");
    await expect.poll(() => addressOf("canonical")).toBe(page.url());
    expect(await addressOf("alternate")).toBe(`${page.url()}/feed.xml`);
    expect(await page.locator('head link[rel="canonical"]').count()).toBe(1);
    await expect.poll(() => preview.count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("gets status 404 and a toast for a missing post", async () => {
    const { page, context } = await visit(browser, url);
    const response = await page.goto("/posts/details/00000000-0000-0000-0000-000000000000");
    expect(response?.status()).toBe(404);
    await page.getByText("post not found").waitFor();
    await context.close();
  });

  test("sends no query during hydration", async () => {
    const { page, context } = await visit(browser, url);
    const calls: string[] = [];
    page.on(
      "request",
      (request) => new URL(request.url()).pathname === "/graphql" && calls.push(request.url()),
    );
    const [post] = await readPosts();
    for (const path of ["/", "/posts", `/posts/details/${post._id}`])
      await page.goto(path, { waitUntil: "networkidle" });
    expect(calls).toEqual([]);
    await context.close();
  });
});

describe("a signed-in user", () => {
  test("sees the menu, writes, and is a visitor again after logging out", async () => {
    const { page, context, complaints } = await visit(browser, url);
    await page.goto("/posts/create-post");
    await page.waitForURL("**/");
    await signIn(page, email, password);
    await page.goto("/login");
    await page.waitForURL("**/");
    const stored = await page.evaluate(() => JSON.parse(localStorage.getItem("userInfo") ?? "null"));
    expect(Object.keys(stored).sort()).toEqual([
      "_id",
      "email",
      "isAdmin",
      "profilePhoto",
      "token",
      "username",
    ]);
    await page.getByRole("button", { name: "Maya Lindqvist" }).click();
    expect(await page.getByRole("link", { name: "Profile" }).getAttribute("href")).toBe(
      `/profile/${stored._id}`,
    );
    await page.getByRole("button", { name: "Logout" }).click();
    await page.getByRole("link", { name: "Login" }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem("userInfo"))).toBeNull();
    expect(await page.getByRole("link", { name: "Create" }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("cannot submit a form before hydration", async () => {
    const { page, context } = await visit(browser, url, { javaScriptEnabled: false });
    for (const path of ["/login", "/register", "/forgot-password"]) {
      await page.goto(path);
      expect(await page.locator("main button").isDisabled(), path).toBe(true);
    }
    await context.close();
  });

  test("sees validation errors below the field and in a toast", async () => {
    const { page, context } = await visit(browser, url);
    await page.goto("/login");
    await page.getByRole("button", { name: "Login" }).click();
    await page.locator(".Toastify__toast").getByText("Email is required").waitFor();
    await page.locator(".field").getByText("Please enter your email address.").waitFor();
    await page.getByLabel("Email").fill("nobody@example.com");
    await page.getByLabel("Password").fill("wrong password");
    await page.getByRole("button", { name: "Login" }).click();
    await page.getByText("invalid email or password").waitFor();
    expect(await page.getByLabel("Email").inputValue()).toBe("nobody@example.com");
    await context.close();
  });

  test("is signed out with a message when the server rejects the token", async () => {
    const { page, context } = await visit(browser, url);
    await signIn(page, email, password);
    // The home page's own requests must not fail first: the toast would be lost on navigation.
    await page.reload({ waitUntil: "networkidle" });
    await page.evaluate(() => {
      const user = JSON.parse(localStorage.getItem("userInfo") ?? "{}") as object;
      localStorage.setItem("userInfo", JSON.stringify({ ...user, token: "gone" }));
    });
    const [post] = await readPosts();
    await page.goto(`/posts/details/${post._id}`);
    await page.getByText("Your session has ended").waitFor();
    await page.getByRole("link", { name: "Login", exact: true }).waitFor();
    await context.close();
  });
});

describe("on every screen", () => {
  for (const width of [320, 1280])
    for (const colorScheme of ["light", "dark"] as const)
      test(`${width} px ${colorScheme}: no horizontal scrolling, and the first paint has the right theme`, async () => {
        const { page, context } = await visit(browser, url, {
          viewport: { width, height: 800 },
          colorScheme,
        });
        const [post] = await readPosts();
        for (const path of [
          "/",
          "/posts",
          "/posts/categories/Food",
          `/posts/details/${post._id}`,
          "/login",
          "/nowhere",
        ]) {
          await page.goto(path);
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          expect(overflow, path).toBeLessThanOrEqual(0);
        }
        const other = colorScheme === "light" ? "dark" : "light";
        const themeOf = () => page.evaluate(() => document.documentElement.dataset["theme"]);
        // Repeats clicks made before hydration.
        const click = async () => {
          await page.getByRole("button", { name: other === "dark" ? "Dark" : "Light" }).click();
          expect(await themeOf()).toBe(other);
        };
        await vi.waitFor(click, { timeout: 10_000 });
        await page.reload();
        expect(await themeOf()).toBe(other);
        await context.close();
      });

  test("320 px, signed in: name, photo and menu button fit side by side", async () => {
    const { page, context } = await visit(browser, url, { viewport: { width: 320, height: 700 } });
    await signIn(page, email, password);
    await page.getByRole("button", { name: "Maya Lindqvist" }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await context.close();
  });

  test("the menu opens by its button and closes on Escape, on a press outside and on its links", async () => {
    const { page, context } = await visit(browser, url, { viewport: { width: 390, height: 800 } });
    await page.goto("/", { waitUntil: "networkidle" });
    const toggle = page.locator(".menu-toggle");
    const posts = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Posts" });
    await toggle.click();
    expect(await posts.isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    expect(await posts.isVisible()).toBe(false);
    expect(await toggle.evaluate((element) => element === document.activeElement)).toBe(true);
    await toggle.click();
    // A tap beside the menu, on a post's picture: it closes the menu and opens no post.
    const picture = await page.locator("article a:has(img)").first().boundingBox();
    await page.mouse.click(195, Math.max(picture?.y ?? 0, 420) + 40);
    expect(await posts.isVisible()).toBe(false);
    await page.waitForTimeout(300);
    expect(new URL(page.url()).pathname).toBe("/");
    await toggle.click();
    await posts.click();
    await page.waitForURL("**/posts");
    expect(await posts.isVisible()).toBe(false);
    await context.close();
  });

  test("without JavaScript the menu is open, and a line says what needs it", async () => {
    const viewport = { width: 390, height: 800 };
    const { page, context } = await visit(browser, url, { viewport, javaScriptEnabled: false });
    for (const path of ["/", "/posts/create-post", "/admin-dashboard"]) {
      await page.goto(path);
      expect(await page.getByRole("link", { name: "Posts" }).first().isVisible(), path).toBe(true);
      expect(await page.locator(".menu-toggle").isVisible(), path).toBe(false);
      expect(await page.locator(".no-script").isVisible(), path).toBe(true);
    }
    await context.close();
  });
});

test("logging in to comment leads back to the post", async () => {
  const { page, context } = await visit(browser, url);
  const [post] = await readPosts();
  await page.goto(`/posts/details/${post._id}`, { waitUntil: "networkidle" });
  await page.getByRole("link", { name: "to write a comment you should login first" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Login" }).click();
  await page.waitForURL(`**/posts/details/${post._id}`);
  await page.getByLabel("Add a comment").waitFor();
  await context.close();
});

test("a malformed id gives a 404 and a toast, without console messages", async () => {
  const { page, context, complaints } = await visit(browser, url);
  for (const path of ["/posts/details/xyz", "/profile/xyz"]) {
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    await page.getByText("invalid id").waitFor();
  }
  expect(complaints).toEqual([]);
  await context.close();
});

test("very long words do not break the layout, and toasts fit a phone", async () => {
  const { page, context } = await visit(browser, url, { viewport: { width: 320, height: 700 } });
  await page.goto("/", { waitUntil: "networkidle" });
  await page.evaluate(() => {
    const long = "Donaudampfschifffahrt".repeat(12);
    for (const element of document.querySelectorAll("main h1, main h3 a, main .excerpt, main .meta a"))
      element.textContent = long;
  });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.goto("/login");
  await page.getByRole("button", { name: "Login" }).click();
  const toast = page.locator(".Toastify__toast");
  await toast.waitFor();
  await toast.evaluate((element) => Promise.all(element.getAnimations().map((each) => each.finished)));
  const box = await toast.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
  expect(await page.getByRole("button", { name: "Open menu" }).click({ timeout: 2_000 })).toBeUndefined();
  await context.close();
});
