import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { violationsOn } from "./testing/axe.ts";
import { openBrowser } from "./testing/browser.ts";
import { call, makeAccount, type Account } from "./testing/people.ts";
import { expectVisible, leadsTo, open, openPage, writeComment, writePost } from "./testing/stage.ts";

let browser: Browser;
let writer: Account;
let post: { _id: string };

beforeAll(async () => {
  browser = await openBrowser();
  writer = await makeAccount();
  post = await writePost(writer);
  for (const text of ["One.", "Two."]) await writeComment(writer, post._id, text);
});
afterAll(() => browser.close());

const phone = { viewport: { width: 390, height: 844 } };

test.each([phone, { viewport: { width: 1280, height: 800 } }])(
  "the first screen of Home holds the headline and its picture ($viewport.width px)",
  async ({ viewport }) => {
    const { page, context } = await openPage(browser, null, { viewport });
    await page.goto("/");
    for (const part of ["h3", ".picture"]) {
      const box = await page.locator(`.lead ${part}`).boundingBox();
      expect((box?.y ?? Infinity) + (box?.height ?? 0), part).toBeLessThanOrEqual(viewport.height);
    }
    await context.close();
  },
);

test("cards say how long a post takes, and count only what there is; the pager has one row", async () => {
  const { page, context } = await openPage(browser, null, { viewport: { width: 320, height: 700 } });
  await page.goto(`/profile/${writer._id}`);
  const meta = page.getByRole("article").locator(".meta");
  expect(await meta.textContent()).toMatch(/\s· \w{3} \w{3} \d{2} \d{4}\s· 1 min\s· 2 comments$/);
  await page.goto("/posts?page=4");
  const rows = await page.locator(".pager :is(a, span)").evaluateAll((steps) =>
    steps.map((step) => {
      const { top, height } = step.getBoundingClientRect();
      return Math.round(top + height / 2);
    }),
  );
  expect(rows.length).toBeGreaterThanOrEqual(8);
  expect(new Set(rows).size).toBe(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await context.close();
});

test.each(["light", "dark"] as const)(
  "excerpts have a contrast of 7:1 (%s), targets 24 px",
  async (colorScheme) => {
    const { page, context } = await openPage(browser, null, { ...phone, colorScheme });
    for (const path of [
      "/",
      "/posts",
      "/posts/categories/Food",
      `/posts/details/${post._id}`,
      `/profile/${writer._id}`,
    ]) {
      await open(page, path);
      if (await page.locator(".excerpt").count())
        expect(
          await violationsOn(page, { within: ".excerpt", rules: ["color-contrast-enhanced"] }),
          path,
        ).toEqual([]);
      expect(await violationsOn(page, { rules: ["target-size"] }), path).toEqual([]);
    }
    await context.close();
  },
);

test("a post ends with its author, whose bio keeps its paragraphs and its links", async () => {
  const bio = "First.\n\nSee https://example.org/me. <b>x</b>";
  const profile = { username: `Bio ${Date.now()}`, bio };
  await call("PUT", `/users/profile/${writer._id}`, { token: writer.token, body: profile });
  const fresh = await writePost(writer);
  const { page, context } = await openPage(browser, null, { viewport: { width: 320, height: 700 } });
  for (const path of [`/posts/details/${fresh._id}`, `/profile/${writer._id}`]) {
    await page.goto(path);
    expect(await page.locator(".bio").innerText()).toBe(bio);
    const link = page.locator(".bio").getByRole("link", { name: "https://example.org/me", exact: true });
    expect(await link.getAttribute("rel")).toBe("nofollow ugc noopener");
    const dates = await page
      .locator("time")
      .evaluateAll((all) => all.map((each) => each.getClientRects().length));
    expect(dates).toEqual(dates.map(() => 1));
  }
  await page.goto(`/posts/details/${fresh._id}`);
  const [text, author] = [page.locator(".prose"), page.getByRole("region", { name: "The author" })];
  const [above, below] = [(await text.boundingBox())!, (await author.boundingBox())!];
  expect(below.y).toBeGreaterThanOrEqual(above.y + above.height);
  const name = author.getByRole("link", { name: profile.username });
  expect(await name.getAttribute("href")).toBe(`/profile/${writer._id}`);
  await expectVisible(page.getByRole("heading", { name: "0 Comments" }), page.getByText("Be the first."));
  await context.close();
});

test("a comment keeps its paragraphs and its links", async () => {
  const fresh = await writePost(writer);
  const text = "First.\n\nSee https://example.org/me. <b>x</b>";
  await writeComment(writer, fresh._id, text);
  const { page, context } = await openPage(browser, null);
  await page.goto(`/posts/details/${fresh._id}`);
  const shown = page.locator(".comment-item .text");
  expect(await shown.innerText()).toBe(text);
  const link = shown.getByRole("link", { name: "https://example.org/me", exact: true });
  expect(await link.getAttribute("rel")).toBe("nofollow ugc noopener");
  await context.close();
});

test("a page of posts beyond the last one has status 404 and leads back", async () => {
  const { page, context } = await openPage(browser, null);
  expect((await open(page, "/posts?page=99"))?.status()).toBe(404);
  await expectVisible(page.getByText("There are no posts on this page."));
  const pager = page.getByRole("navigation", { name: "Pages" });
  const last = await pager
    .getByRole("link", { name: /^Page / })
    .last()
    .textContent();
  await pager.getByRole("link", { name: "Previous" }).click();
  await leadsTo(page, `/posts?page=${last}`);
  await expectVisible(page.getByRole("article"));
  await context.close();
});

test("a visitor's like and comment lead to Login and back: the post is liked, the form has the focus", async () => {
  const fresh = await writePost(writer);
  const path = `/posts/details/${fresh._id}`;
  const { page, context } = await openPage(browser, null);
  const logIn = async (link: string | RegExp) => {
    await open(page, path);
    await page.getByRole("link", { name: link }).click();
    await page.getByLabel("Email").fill(writer.email);
    await page.getByLabel("Password", { exact: true }).fill(writer.password);
    await page.getByRole("button", { name: "Login" }).click();
    await leadsTo(page, path);
  };
  await logIn("Login to like, 0 likes");
  const like = page.getByRole("button", { name: "Like, 1 likes" });
  await like.waitFor();
  expect(await like.getAttribute("aria-pressed")).toBe("true");
  await expect.poll(async () => (await call("GET", `/posts/${fresh._id}`)).body.likes).toEqual([writer._id]);
  expect(await page.evaluate(() => history.state.usr)).toBeNull();
  await page.evaluate(() => localStorage.removeItem("userInfo"));
  await logIn("to write a comment you should login first");
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("text");
  await context.close();
});

test.each([
  ["no-preference", 160],
  ["reduce", null],
] as const)(
  "a card opens its post at once, in a transition (motion: %s)",
  async (reducedMotion, duration) => {
    const { page, context } = await openPage(browser, null, { reducedMotion });
    await page.addInitScript(() => {
      const start = (document as any).startViewTransition.bind(document);
      (document as any).startViewTransition = (change: () => Promise<void>) => {
        const transition = start(change);
        void transition.ready.then(() => {
          const effects = document.getAnimations().map(({ effect }) => effect as KeyframeEffect);
          const morph = effects.find(({ pseudoElement }) => pseudoElement?.includes("(post-picture)"));
          (window as any).transition = morph?.getComputedTiming().duration;
        });
        return transition;
      };
    });
    await open(page, "/posts");
    const link = page.getByRole("article").first().getByRole("heading").getByRole("link");
    const title = (await link.textContent()) ?? "";
    let send = () => {};
    const held = new Promise<void>((resolve) => (send = resolve));
    await page.route("**/graphql**", async (route) => held.then(() => route.continue()));
    await link.click();
    await expectVisible(
      page.getByRole("heading", { level: 1, name: title }),
      page.locator("figure picture img"),
    );
    expect(await page.locator(".prose").count()).toBe(0);
    expect(await page.evaluate(() => (window as any).transition ?? null)).toBe(duration);
    send();
    await expectVisible(page.locator(".prose"));
    await context.close();
  },
);

test("the pages of the blog, a category, a tag and an author each name their feeds, which answer", async () => {
  const { page, context } = await openPage(browser, null);
  for (const path of ["/", "/posts/categories/Food", "/posts/tags/bread", `/profile/${writer._id}`]) {
    await page.goto(path);
    const links = await page
      .locator("head link[rel=alternate]")
      .evaluateAll((all) => all.map((each) => [each.getAttribute("type"), each.getAttribute("href")]));
    expect(
      links.map(([type]) => type),
      path,
    ).toEqual(["application/rss+xml", "application/atom+xml", "application/feed+json"]);
    for (const [type, href] of links) {
      const response = await fetch(href!);
      expect([response.status, response.headers.get("content-type")?.split(";")[0]], href!).toEqual([
        200,
        type,
      ]);
      if (path !== "/") expect(new URL(href!).pathname, path).toContain(path);
    }
  }
  await context.close();
});

test("a page that was opened offline loads when the network is back", async () => {
  const { page, context } = await openPage(browser, null);
  await open(page, "/login");
  await context.setOffline(true);
  await page.getByRole("link", { name: "Posts" }).click();
  await expectVisible(page.getByText("This page could not be shown."));
  await context.setOffline(false);
  await expectVisible(page.getByRole("heading", { name: "Posts" }), page.getByRole("article"));
  await context.close();
});
