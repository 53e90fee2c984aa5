import { expect } from "vitest";
import { call, register, requestReset } from "../testing/people.ts";
import { leadsTo, expectHidden, open, expectVisible, toastIn } from "../testing/stage.ts";
import { section } from "./row.ts";

const main = "#main";

export const screens = section(2, [
  [
    "| / | Home: welcome banner, 'Latest Posts' (page 1 of posts), a category sidebar, a 'See All Posts' link. |",
    "visitor",
    async ({ page }) => {
      await open(page, "/");
      await expectVisible(page.getByRole("heading", { name: "Welcome to Blog", level: 1 }));
      await expectVisible(page.getByRole("region", { name: "Latest Posts" }));
      const posts = (await call("GET", "/posts?pageNumber=1")).body;
      const shown = await page.getByRole("article").getByRole("heading").allTextContents();
      expect(shown).toEqual(posts.map((each: any) => each.title));
      const categories = (await call("GET", "/categories")).body;
      const links = page.getByRole("complementary").getByRole("link");
      expect(await links.locator("span:first-child").allTextContents()).toEqual(
        categories.map((each: any) => each.title),
      );
      await page.getByRole("link", { name: "See All Posts" }).click();
      await leadsTo(page, "/posts");
    },
  ],
  [
    "| /login | Login form with a 'Forgot Password' link.",
    "visitor",
    async ({ page }) => {
      await open(page, "/login");
      await expectVisible(page.getByLabel("Email"), page.getByLabel("Password"));
      await page.getByRole("link", { name: "Forgot Password", exact: true }).click();
      await leadsTo(page, "/forgot-password");
    },
  ],
  [
    "| /login | Login form with a 'Forgot Password' link. Signed-in users are redirected to /. |",
    "author",
    async ({ page }) => {
      await page.goto("/login");
      await leadsTo(page, "/");
      await expectVisible(page.getByRole("heading", { name: "Welcome to Blog" }));
    },
  ],
  [
    "| /register | Registration form. Signed-in users are redirected to /.",
    "author",
    async ({ page }) => {
      await page.goto("/register");
      await leadsTo(page, "/");
    },
  ],
  [
    "On success a success dialog appears; confirming it goes to /login.",
    "visitor",
    async ({ page }) => {
      await open(page, "/register");
      await page.getByLabel("Username").fill(`Screens ${Date.now()}`);
      await page.getByLabel("Email").fill(`screens-${Date.now()}@example.org`);
      await page.getByLabel("Password").fill("seven blue herons");
      await page.getByRole("button", { name: "Register" }).click();
      const dialog = page.getByRole("dialog");
      await expectVisible(dialog.getByText("We sent to you an email, please verify your email address"));
      await dialog.getByRole("button", { name: "OK" }).click();
      await leadsTo(page, "/login");
    },
  ],
  [
    "| /users/{userId}/verify/{token} | Email verification. Shows success text with a link to login, or 'Not Found'.",
    "visitor",
    async ({ page }) => {
      const { link } = await register();
      await open(page, link.replace(/.{4}$/, "aaaa"));
      await expectVisible(page.getByRole("heading", { name: "Not Found", exact: true }));
      await open(page, link);
      await expectVisible(page.getByText("Your email address has been successfully verified"));
      await page.getByRole("link", { name: "Go To Login Page" }).click();
      await leadsTo(page, "/login");
    },
  ],
  [
    "or 'Not Found'. Signed-in users are redirected to /. |",
    "author",
    async ({ page, me }) => {
      await page.goto(`/users/${me._id}/verify/nothing`);
      await leadsTo(page, "/");
    },
  ],
  [
    "| /forgot-password | Email form to request a reset link. |",
    "visitor",
    async ({ page }) => {
      await open(page, "/forgot-password");
      await page.getByLabel("Email").fill("nobody.at.all@example.org");
      await page.getByRole("button", { name: "Submit" }).click();
      await expectVisible(toastIn(page, "Password reset link sent to your email, Please check your inbox"));
    },
  ],
  [
    "| /reset-password/{userId}/{token} | New-password form, or 'Not Found' if the link check fails. |",
    "newcomer",
    async ({ page, me }) => {
      const link = await requestReset(me);
      await open(page, link);
      await expectVisible(page.getByLabel("New Password"), page.getByRole("button", { name: "Submit" }));
      await open(page, link.replace(/.{4}$/, "aaaa"));
      await expectVisible(page.getByRole("heading", { name: "Not Found", exact: true }));
      await expectHidden(page.getByLabel("New Password"));
    },
  ],
  [
    "| /profile/{id} | Profile page. |",
    "visitor",
    async ({ page, me, post }) => {
      await open(page, `/profile/${me._id}`);
      await expectVisible(
        page.getByRole("heading", { name: me.username, level: 1 }),
        page.getByText("Date Joined:"),
      );
      await expectVisible(page.getByRole("heading", { name: `${me.username} Posts` }));
      await expectVisible(page.getByRole("article").getByText(post.title, { exact: true }));
    },
  ],
  [
    "| /posts | Paginated post list with category sidebar and pager. |",
    "visitor",
    async ({ page }) => {
      await open(page, "/posts");
      expect(await page.getByRole("article").count()).toBe(3);
      await expectVisible(page.getByRole("complementary").getByRole("heading", { name: "Categories" }));
      await expectVisible(page.getByRole("navigation", { name: "Pages" }));
    },
  ],
  [
    "| /posts/create-post | Create form. Redirects to / when not signed in. |",
    "visitor",
    async ({ page }) => {
      await page.goto("/posts/create-post");
      await leadsTo(page, "/");
    },
  ],
  [
    "| /posts/create-post | Create form.",
    "author",
    async ({ page }) => {
      await open(page, "/posts/create-post");
      await expectVisible(page.getByRole("heading", { name: "Create New Post" }));
      await expectVisible(page.getByLabel("Post Title"), page.getByLabel("Post Description"));
      await expectVisible(page.getByRole("combobox"), page.locator("input[type=file]"));
      await expectVisible(page.locator(main).getByRole("button", { name: "Create", exact: true }));
    },
  ],
  [
    "| /posts/details/{id} | Post details. |",
    "visitor",
    async ({ page, post, author }) => {
      await open(page, `/posts/details/${post._id}`);
      await expectVisible(page.getByRole("heading", { name: post.title, level: 1 }));
      await expectVisible(page.locator(main).getByRole("link", { name: author.username }).first());
      await expectVisible(page.getByText("It is here to be read, liked and deleted."));
      await expectVisible(page.getByRole("heading", { name: "1 Comments" }), page.getByText("0 likes"));
    },
  ],
  [
    "| /posts/categories/{category} | Posts of one category. If none: 'Posts with {category} category not found' and a link to /posts. |",
    "visitor",
    async ({ page }) => {
      await open(page, "/posts/categories/Books");
      await expectVisible(page.getByRole("heading", { name: "Posts based on Books" }));
      const posts = (await call("GET", "/posts?category=Books")).body.map((each: any) => each.title);
      const shown = await page.getByRole("article").getByRole("heading").allTextContents();
      expect(shown).toEqual(posts.slice(0, shown.length));
      await open(page, "/posts/categories/Nothing");
      await expectVisible(page.getByText("Posts with Nothing category not found"));
      await page.getByRole("link", { name: "Go to posts Page" }).click();
      await leadsTo(page, "/posts");
    },
  ],
  [
    "| /admin-dashboard | Counts cards and an add-category form. |",
    "admin",
    async ({ page, me }) => {
      await open(page, "/admin-dashboard");
      const users = (await call("GET", "/users/count", { token: me.token })).body as number;
      const posts = (await call("GET", "/posts/count")).body as number;
      await expectVisible(page.locator(main).getByText(String(users), { exact: true }));
      await expectVisible(page.locator(main).getByText(String(posts), { exact: true }));
      for (const label of ["Users", "Posts", "Categories", "Comments"])
        await expectVisible(page.locator(main).getByText(label, { exact: true }));
      await expectVisible(page.getByLabel("Category Title"));
    },
  ],
  [
    "| any other path | 404 page 'Page Not Found' with a link home. |",
    "visitor",
    async ({ page }) => {
      expect((await open(page, "/any/other/path"))?.status()).toBe(404);
      await expectVisible(page.getByRole("heading", { name: "Page Not Found" }));
      await page.getByRole("link", { name: "Go to home page" }).click();
      await leadsTo(page, "/");
    },
  ],
]);
