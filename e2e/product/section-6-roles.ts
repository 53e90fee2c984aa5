import { expect } from "vitest";
import { call, makeAccount } from "../testing/people.ts";
import {
  leadsTo,
  expectHidden,
  open,
  pictureFile,
  expectVisible,
  writeComment,
  writePost,
} from "../testing/stage.ts";
import { section, type Scene } from "./row.ts";

const ownPost = ["Edit post", "Delete post", "upload"];
const ownComment = ["Edit comment", "Delete comment"];
const ownProfile = ["upload", "Update Profile", "Delete Your Account"];
const buttons = ({ page }: Scene, names: string[]) =>
  names.map((name) => page.locator("#main").getByRole("button", { name, exact: true }));

/** Presses `Delete …` in the row that shows a text, and OK; the row goes. */
async function deletesRow({ page }: Scene, table: string, text: string, button: string): Promise<void> {
  await open(page, `/admin-dashboard/${table}`);
  const row = page.getByRole("row").filter({ hasText: text });
  await row.getByRole("button", { name: button }).click();
  await page.getByRole("dialog").getByRole("button", { name: "OK" }).click();
  await expect.poll(() => row.count(), { timeout: 10_000 }).toBe(0);
}

const admin =
  "Admin (isAdmin true): dashboard, list and delete users, delete posts, add and delete categories, list and delete comments.";
const icons = "Only a post's author sees edit and delete icons and the change-image form.";
const comment = "Only a comment's author sees edit and delete on it.";
const owner = "Only the profile owner sees photo upload, Update Profile and Delete Your Account.";

export const roles = section(6, [
  [
    "Visitor: browse home, posts, categories, post details, profiles; login, register, forgot and reset password, verify email.",
    "visitor",
    async ({ page, author, post }) => {
      for (const path of ["/", "/posts", "/posts/categories/Food", `/posts/details/${post._id}`]) {
        expect((await open(page, path))?.status()).toBe(200);
        await expectVisible(page.getByRole("heading", { level: 1 }));
        await leadsTo(page, path);
      }
      const forms = ["/login", "/register", "/forgot-password"];
      for (const path of [`/profile/${author._id}`, ...forms, "/reset-password/x/y", "/users/x/verify/y"]) {
        expect((await open(page, path))?.status()).toBe(200);
        await expectVisible(page.getByRole("heading", { level: 1 }));
        await leadsTo(page, path);
      }
    },
  ],
  [
    "Logged-in user: create posts",
    "author",
    async ({ page }) => {
      await open(page, "/posts/create-post");
      await page.getByLabel("Post Title").fill("By a logged-in user");
      await page.getByRole("combobox").selectOption("Places");
      await page.getByLabel("Post Description").fill("Long enough for a post.");
      await page.locator("input[type=file]").setInputFiles(await pictureFile());
      await page.locator("#main form button:not([type=button])").click();
      await leadsTo(page, "/");
      await expectVisible(page.getByRole("link", { name: "By a logged-in user", exact: true }));
    },
  ],
  [
    "like or unlike any post",
    "author",
    async ({ page, post }) => {
      const others = (await call("GET", "/posts")).body.at(-1);
      for (const id of [post._id, others._id]) {
        await open(page, `/posts/details/${id}`);
        const like = page.getByRole("button", { name: /^Like/ });
        for (const state of ["true", "false"]) {
          await like.click();
          await expect.poll(() => like.getAttribute("aria-pressed")).toBe(state);
        }
      }
    },
  ],
  [
    "comment (the form shows only when logged in, otherwise 'to write a comment you should login first')",
    "visitor",
    async ({ page, post }) => {
      await open(page, `/posts/details/${post._id}`);
      await expectVisible(page.getByText("to write a comment you should login first", { exact: true }));
      await expectHidden(page.getByLabel("Add a comment"), page.getByRole("button", { name: "Comment" }));
      await expectHidden(page.getByRole("button", { name: /^Like/ }));
    },
  ],
  [
    "comment (the form shows only when logged in",
    "other",
    async ({ page, post }) => {
      await open(page, `/posts/details/${post._id}`);
      await expectHidden(page.getByText("to write a comment you should login first"));
      await page.getByLabel("Add a comment").fill("From somebody else.");
      await page.getByRole("button", { name: "Comment", exact: true }).click();
      await expectVisible(page.getByRole("listitem").getByText("From somebody else.", { exact: true }));
    },
  ],
  [
    icons,
    "author",
    async (scene) => {
      await open(scene.page, `/posts/details/${scene.post._id}`);
      await expectVisible(...buttons(scene, ownPost), scene.page.getByLabel("Select New Image"));
    },
  ],
  [
    icons,
    "other",
    async (scene) => {
      await open(scene.page, `/posts/details/${scene.post._id}`);
      await expectVisible(scene.page.getByLabel("Add a comment"));
      await scene.page.waitForLoadState("networkidle");
      await expectHidden(...buttons(scene, ownPost), scene.page.getByLabel("Select New Image"));
    },
  ],
  [
    comment,
    "author",
    async (scene) => {
      await open(scene.page, `/posts/details/${scene.post._id}`);
      const own = scene.page.getByRole("listitem").filter({ hasText: "I was there." });
      for (const name of ownComment) await expectVisible(own.getByRole("button", { name }));
    },
  ],
  [
    comment,
    "newcomer",
    async (scene) => {
      const own = await writePost(scene.me);
      await writeComment(scene.author, own._id, "From a guest.");
      await open(scene.page, `/posts/details/${own._id}`);
      await expectVisible(...buttons(scene, ["Edit post"]), scene.page.getByText("From a guest."));
      await scene.page.waitForLoadState("networkidle");
      await expectHidden(...buttons(scene, ownComment));
    },
  ],
  [
    owner,
    "author",
    async (scene) => {
      await open(scene.page, `/profile/${scene.me._id}`);
      await expectVisible(...buttons(scene, ownProfile), scene.page.locator("#main input[type=file]"));
    },
  ],
  [
    owner,
    "other",
    async (scene) => {
      await open(scene.page, `/profile/${scene.author._id}`);
      await expectVisible(scene.page.getByRole("heading", { name: scene.author.username, level: 1 }));
      await scene.page.waitForLoadState("networkidle");
      await expectHidden(...buttons(scene, ownProfile), scene.page.locator("#main input[type=file]"));
    },
  ],
  [
    "Admin (isAdmin true): dashboard, list and delete users",
    "admin",
    async (scene) => {
      const doomed = await makeAccount();
      await deletesRow(scene, "users-table", doomed.username, "Delete User");
      expect((await call("GET", `/users/profile/${doomed._id}`)).status).toBe(404);
    },
  ],
  [
    "delete posts",
    "admin",
    async (scene) => {
      const doomed = await writePost(scene.author);
      await deletesRow(scene, "posts-table", doomed.title, "Delete Post");
      expect((await call("GET", `/posts/${doomed._id}`)).status).toBe(404);
    },
  ],
  [
    "add and delete categories",
    "admin",
    async (scene) => {
      const { page } = scene;
      const title = `Doomed ${Date.now()}`;
      await open(page, "/admin-dashboard");
      await page.getByLabel("Category Title").fill(title);
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await expectVisible(page.getByText("category created successfully"));
      await deletesRow(scene, "categories-table", title, "Delete Category");
      const titles = (await call("GET", "/categories")).body.map((each: any) => each.title);
      expect(titles).not.toContain(title);
    },
  ],
  [
    "list and delete comments",
    "admin",
    async (scene) => {
      const text = `Doomed words ${Date.now()}`;
      await writeComment(scene.author, scene.post._id, text);
      await deletesRow(scene, "comments-table", text, "Delete Comment");
      const { comments } = (await call("GET", `/posts/${scene.post._id}`)).body;
      expect(comments.map((each: any) => each.text)).not.toContain(text);
    },
  ],
  [
    admin,
    "other",
    async ({ me }) => {
      for (const path of ["/users/profile", "/users/count", "/comments"])
        expect((await call("GET", path, { token: me.token })).status, path).toBe(403);
    },
  ],
  [
    "The token is sent as a bearer header.",
    "author",
    async ({ page, me, post }) => {
      const request = page.waitForRequest((each) => each.url().includes("/graphql"));
      await open(page, `/posts/details/${post._id}`);
      expect((await request).headers()["authorization"]).toBe(`Bearer ${me.token}`);
    },
  ],
]);
