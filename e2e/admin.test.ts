import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, signIn, visit } from "./testing/browser.ts";
import { givenBlog } from "./testing/given-blog.ts";
import { call, logInAdmin, logInWriter } from "./testing/people.ts";
import { pictureForm, toastIn } from "./testing/stage.ts";
import { focused, namesIn, range, rowsOf } from "./testing/tables.ts";

const { url, email, password } = givenBlog;
const TABLES = ["users", "posts", "categories", "comments"].map((noun) => `/admin-dashboard/${noun}-table`);

let browser: Browser;
let admin: any;
beforeAll(async () => {
  browser = await openBrowser();
  admin = await logInAdmin();
});
afterAll(() => browser.close());

async function ask(query: string, variables: object = {}) {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${admin.token}` },
    body: JSON.stringify({ query, variables }),
  });
  return ((await response.json()) as any).data;
}

/** Polls for up to 10 s, because the machine may be busy. */
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 10_000 });

function visitAsAdmin(options = {}) {
  const localStorage = [{ name: "userInfo", value: JSON.stringify(admin) }];
  return visit(browser, url, {
    storageState: { cookies: [], origins: [{ origin: url, localStorage }] },
    ...options,
  });
}

describe("the admin's pages", () => {
  test("redirect visitors and writers to the home page", async () => {
    const { page, context } = await visit(browser, url);
    for (const who of ["visitor", "writer"]) {
      if (who === "writer") await signIn(page, email, password);
      for (const path of ["/admin-dashboard", "/admin-dashboard/tags-table", ...TABLES]) {
        await page.goto(path);
        await page.waitForURL(`${url}/`);
      }
    }
    await context.close();
  });

  test("load code that readers never load", async () => {
    const { page, context } = await visit(browser, url);
    const scripts: string[] = [];
    page.on("response", (response) => response.url().endsWith(".js") && scripts.push(response.url()));
    for (const path of ["/", "/posts"]) await page.goto(path, { waitUntil: "networkidle" });
    expect(scripts.length).toBeGreaterThan(0);
    const loaded = await Promise.all(scripts.map(async (script) => (await fetch(script)).text()));
    for (const text of ["Delete User", "AdminDeleteUser", "dailyCounts", "See all"])
      expect(loaded.join("").includes(text), text).toBe(false);
    await context.close();
  });

  test("start with counts and link to every table", async () => {
    const { page, context, complaints } = await visitAsAdmin();
    await page.goto("/");
    await page.getByRole("link", { name: "Admin Dachboard" }).click();
    const cards = page.locator(".count-cards li");
    const counts = await ask("{ usersCount postsCount categoriesCount }");
    const card = (title: string) => cards.filter({ has: page.getByRole("heading", { name: title }) });
    await soon(() => card("Users").locator(".figure").textContent()).toBe(String(counts.usersCount));
    await soon(() => card("Posts").locator(".figure").textContent()).toBe(String(counts.postsCount));
    expect(await card("Posts").locator("polyline").count()).toBe(1);

    await page.getByRole("button", { name: "Add", exact: true }).click();
    await toastIn(page, "Categoary Title is required").waitFor();
    await page.getByLabel("Category Title").fill("Rivers");
    await page.getByLabel("Category Title").press("Enter");
    await page.getByText("category created successfully").waitFor();
    await soon(() => card("Categories").locator(".figure").textContent()).toBe(
      String(counts.categoriesCount + 1),
    );

    const { categories } = await ask('{ categories(search: "Rivers") { id } }');
    await ask("mutation ($id: ID!) { deleteCategory(id: $id) { id } }", { id: categories[0].id });

    const menu = page.getByRole("navigation", { name: "Admin" });
    for (const [index, title] of ["Users", "Posts", "Categories", "Comments"].entries()) {
      await menu.getByRole("link", { name: "Dashboard" }).click();
      await page.getByRole("link", { name: `See all ${title.toLowerCase()}` }).click();
      await page.waitForURL(`**${TABLES[index]}`);
      await page.getByRole("heading", { name: title, level: 1 }).waitFor();
      await soon(() => menu.locator("[aria-current=page]").textContent()).toBe(title);
      const inHeader = page.getByRole("navigation", { name: "Main" }).locator("[aria-current]");
      expect(await inHeader.allTextContents()).toEqual(["Admin Dachboard"]);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe("a table", () => {
  test("searches, sorts and pages, and stores this in the URL", async () => {
    const { page, context, complaints } = await visitAsAdmin();
    await page.goto("/admin-dashboard/posts-table");
    const { postsCount } = await ask("{ postsCount }");
    await soon(() => range(page)).toBe(`1–20 of ${postsCount}`);
    expect(await rowsOf(page).count()).toBe(21);
    const newest = (await namesIn(page))[0];

    const byTitle = page.getByRole("columnheader", { name: "Post Title" });
    await byTitle.getByRole("button").click();
    await page.waitForURL("**/posts-table?sort=title");
    await soon(() => byTitle.getAttribute("aria-sort")).toBe("ascending");
    const first20 = "query ($sort: String) { posts(page: 1, first: 20, sort: $sort) { nodes { title } } }";
    const sorted = async (sort: string) =>
      (await ask(first20, { sort })).posts.nodes.map(({ title }: any) => title);
    const ascending = await sorted("title");
    await soon(() => namesIn(page)).toEqual(ascending);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/posts-table?sort=-title");
    await soon(() => byTitle.getAttribute("aria-sort")).toBe("descending");
    await soon(() => namesIn(page)).toEqual(await sorted("-title"));
    expect(await focused(page)).toEqual([0, "Post Title"]);

    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Next" }).click();
    await page.waitForURL("**/posts-table?page=2&sort=-title");
    await soon(() => range(page)).toBe(`21–40 of ${postsCount}`);
    expect(await page.getByRole("cell", { name: "21", exact: true }).count()).toBe(1);
    await page.reload();
    await soon(() => range(page)).toBe(`21–40 of ${postsCount}`);

    const search = page.getByRole("searchbox", { name: "Search posts" });
    await search.pressSequentially("bread", { delay: 30 });
    await page.waitForURL("**/posts-table?search=bread&sort=-title");
    const found = await ask('{ posts(page: 1, search: "bread") { totalCount } }');
    await soon(() => range(page)).toBe(`1–${found.posts.totalCount} of ${found.posts.totalCount}`);
    await search.pressSequentially(" and circuses", { delay: 30 });
    await page.getByText("No posts match “bread and circuses”.").waitFor();
    expect(await search.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.goBack();
    await soon(() => range(page)).toBe(`21–40 of ${postsCount}`);
    await soon(() => search.inputValue()).toBe("");
    await page.goForward();
    await page.getByRole("link", { name: "Show all posts" }).click();
    await soon(() => search.inputValue()).toBe("");
    await page.goto("/admin-dashboard/posts-table?page=999&sort=nonsense");
    await page.waitForURL(`**/posts-table?page=${Math.ceil(postsCount / 20)}`);
    await page.getByRole("link", { name: "Page 1" }).click();
    await soon(async () => (await namesIn(page))[0]).toBe(newest);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("keeps its rows while new ones load, and shows errors with a retry button", async () => {
    const { page, context } = await visitAsAdmin();
    await page.goto("/admin-dashboard/comments-table");
    await soon(() => range(page)).toMatch(/^1–20 of/);
    const before = await namesIn(page);
    let release = () => {};
    const held = new Promise<void>((done) => (release = done));
    await page.route(/\/graphql(\?|$)/, async (route) => {
      await held;
      await route.abort();
    });
    await page.getByRole("columnheader", { name: "User" }).getByRole("button").click();
    await soon(() => page.getByRole("table").getAttribute("aria-busy")).toBe("true");
    expect(await namesIn(page)).toEqual(before);
    release();
    await page.getByRole("alert").getByText("The server cannot be reached").waitFor();
    await page.unroute(/\/graphql(\?|$)/);
    await page.getByRole("button", { name: "Try again" }).click();
    await soon(() => page.getByRole("table").getAttribute("aria-busy")).toBe("false");
    expect(await rowsOf(page).count()).toBe(21);
    await context.close();
  });

  const kinds: [noun: string, table: string, make: () => Promise<unknown>, name: string, message: string][] =
    [
      ["user", "users", makeUser, "Passing Guest", "your profile has been deleted"],
      ["post", "posts", makePost, "A passing thought", "post has been deleted successfully"],
      ["category", "categories", makeCategory, "Clouds", "category has been deleted successfully"],
      ["comment", "comments", makeComment, "A passing word", "comment has been deleted"],
    ];
  test.each(kinds)(
    "deletes a %s by keyboard after confirmation",
    async (noun, table, make, name, message) => {
      await make();
      const { page, context, complaints } = await visitAsAdmin();
      await page.goto(`/admin-dashboard/${table}-table?sort=-createdAt`);
      await soon(async () => (await namesIn(page))[0]).toContain(name);
      // Apollo does not refetch in the first second after server rendering.
      await page.waitForTimeout(1_000);
      const total = Number((await range(page))?.split(" of ")[1]);
      const [gone, ...left] = await namesIn(page);
      const button = rowsOf(page)
        .nth(1)
        .getByRole("button", { name: /^Delete / });
      const label = await button.textContent();
      await button.focus();

      const dialog = page.getByRole("dialog", { name: "Are you sure?" });
      await page.keyboard.press("Enter");
      await dialog.getByText(`Once deleted, you will not be able to recover this ${noun}!`).waitFor();
      await dialog.getByText(name, { exact: true }).waitFor();
      await dialog.getByRole("button", { name: "Cancel" }).press("Enter");
      await dialog.waitFor({ state: "detached" });
      await soon(() => focused(page)).toEqual([1, label]);
      expect(await namesIn(page)).toEqual([gone, ...left]);

      await page.keyboard.press("Enter");
      await dialog.getByRole("button", { name: "OK" }).press("Enter");
      await page.getByText(message).waitFor();
      await soon(() => range(page)).toBe(`1–${Math.min(20, total - 1)} of ${total - 1}`);
      expect((await namesIn(page)).slice(0, left.length)).toEqual(left);
      expect(await rowsOf(page).count()).toBe(Math.min(20, total - 1) + 1);
      await soon(() => focused(page)).toEqual([1, label]);
      await page.reload();
      await soon(async () => (await namesIn(page))[0]).toBe(left[0]);
      expect(complaints).toEqual([]);
      await context.close();
    },
  );

  test("shows why a row could not be deleted, and keeps the focus on it", async () => {
    const { page, context } = await visitAsAdmin();
    await page.goto("/admin-dashboard/users-table?search=admin%40example.com");
    await page.getByRole("button", { name: "Delete User" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "OK" }).click();
    await page.getByText("the last admin cannot be deleted").waitFor();
    await soon(() => focused(page)).toEqual([1, "Delete User"]);
    expect(await rowsOf(page).count()).toBe(2);
    await context.close();
  });

  test("shows who joined when, wrote how much and is verified, and each post's date, category and likes", async () => {
    const { page, context } = await visitAsAdmin();
    const { users, posts } = await ask(`{
      users(page: 1, first: 1, search: "${email}") { nodes { createdAt isAccountVerified postCount } }
      posts(page: 1, first: 1, sort: "-title") { nodes { createdAt category likeCount } }
    }`);
    const [writer, post] = [users.nodes[0], posts.nodes[0]];
    const day = ({ createdAt }: { createdAt: string }) => new Date(createdAt).toDateString();
    const firstRow = (titles: string[]) =>
      Promise.all(titles.map((title) => page.locator(`tbody [data-label="${title}"]`).first().textContent()));
    await page.goto(`/admin-dashboard/users-table?search=${encodeURIComponent(email)}`);
    await soon(() => firstRow(["Joined", "Posts", "Verified"])).toEqual([
      day(writer),
      String(writer.postCount),
      "Yes",
    ]);
    await page.goto("/admin-dashboard/posts-table?sort=-title");
    await soon(() => firstRow(["Date", "Category", "Likes"])).toEqual([
      day(post),
      post.category,
      String(post.likeCount),
    ]);
    await context.close();
  });

  test("shows labelled cells on a small phone, without horizontal scrolling", async () => {
    const { page, context } = await visitAsAdmin({ viewport: { width: 320, height: 640 } });
    for (const path of ["/admin-dashboard", "/admin-dashboard/tags-table", ...TABLES]) {
      await page.goto(path, { waitUntil: "networkidle" });
      const { wide, narrow } = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth,
        narrow: innerWidth,
      }));
      expect(wide, path).toBeLessThanOrEqual(narrow);
    }
    expect(await page.getByRole("button", { name: "User" }).first().isVisible()).toBe(true);
    const label = await page.getByRole("rowheader").first().getAttribute("data-label");
    expect(label).toBe("Comment");
    await context.close();
  });
});

function makeUser() {
  const account = { username: "Passing Guest", email: "guest@example.org", password: "a passing secret" };
  return call("POST", "/auth/register", { body: account });
}

async function makePost() {
  const { token } = await logInWriter();
  const fields = { title: "A passing thought", description: "It will not be missed.", category: "Craft" };
  return call("POST", "/posts", { token, form: await pictureForm(fields) });
}

const makeCategory = () => call("POST", "/categories", { token: admin.token, body: { title: "Clouds" } });

async function makeComment() {
  const [{ id: postId }] = (await ask("{ posts { nodes { id } } }")).posts.nodes;
  return call("POST", "/comments", { token: admin.token, body: { text: "A passing word", postId } });
}
