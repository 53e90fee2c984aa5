import type { Page } from "playwright-core";
import { expect } from "vitest";
import { call, requestReset } from "../testing/people.ts";
import { expectHidden, open, expectVisible, toastIn } from "../testing/stage.ts";
import { section, type Row, type Scene } from "./row.ts";

type Fields = Record<string, string>;

/** Sends the form of a page with these fields filled. A toast shows the refusal, and no request is sent. */
async function refuses(page: Page, button: string, fields: Fields, message: string): Promise<void> {
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  const form = page.locator("form").filter({ has: page.getByRole("button", { name: button, exact: true }) });
  for (const [name, value] of Object.entries(fields)) {
    const field = form.locator(`[name="${name}"]`);
    if (name === "category" && value) await field.selectOption(value);
    else if (name !== "category") await field.fill(value);
  }
  await form.getByRole("button", { name: button, exact: true }).click();
  await expectVisible(toastIn(page, message));
  expect(sent).toEqual([]);
}

const onPage =
  (path: string, button: string, fields: Fields, message: string): Row["act"] =>
  async ({ page }) => {
    await open(page, path);
    await refuses(page, button, fields, message);
  };

const post = { title: "A title", category: "Places", description: "Long enough." };

const inCreate = (fields: Fields, message: string) =>
  onPage("/posts/create-post", "Create", { ...post, ...fields }, message);

const inUpdate =
  (fields: Fields, message: string): Row["act"] =>
  async ({ page, post: shown }) => {
    await open(page, `/posts/details/${shown._id}`);
    await page.getByRole("button", { name: "Edit post" }).click();
    const dialog = page.getByRole("dialog", { name: "Update Post" });
    for (const [name, value] of Object.entries(fields)) {
      const field = dialog.locator(`[name="${name}"]`);
      if (name === "category") await field.selectOption(value);
      else await field.fill(value);
    }
    await dialog.locator("form button:not([type=button])").click();
    await expectVisible(page.getByText(message, { exact: true }));
    await expectVisible(dialog);
  };

/** Presses what destroys something, reads the question and declines. */
async function declineDeletion({ page }: Scene, opener: string, lost: string): Promise<void> {
  await page.getByRole("button", { name: opener }).first().click();
  const dialog = page.getByRole("dialog", { name: "Are you sure?" });
  await expectVisible(dialog.getByRole("heading", { name: "Are you sure?" }));
  await expectVisible(
    dialog.getByText(`Once deleted, you will not be able to recover ${lost}!`, { exact: true }),
  );
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expectHidden(dialog);
}

const asks =
  (path: (scene: Scene) => string, opener: string, lost: string): Row["act"] =>
  async (scene) => {
    await open(scene.page, path(scene));
    await declineDeletion(scene, opener, lost);
  };

const destructive =
  "Destructive actions (delete comment, post, user, category, account) ask 'Are you sure?' with a 'Once deleted, you will not be able to recover ...' text.";
const update = "Update post: title, category and description required, same messages.";
const comments = "Add comment: 'Pleace write something'; edit comment: 'please write something'.";
const resets = "Forgot password: 'Email is required'; reset: 'Password is required'.";
const files =
  "New post image or profile photo without a file: warning 'there is no images' / 'ther is no file!'.";

export const validation = section(5, [
  [
    "Client-side checks use the trimmed value and show an error toast:",
    "visitor",
    onPage("/login", "Login", { email: " \t ", password: "   " }, "Email is required"),
  ],
  [
    "'Email is required', 'Password is required'.",
    "visitor",
    onPage("/login", "Login", {}, "Email is required"),
  ],
  [
    "'Password is required'",
    "visitor",
    onPage("/login", "Login", { email: "a@b.org" }, "Password is required"),
  ],
  [
    "Register: 'Useruser is required' (username)",
    "visitor",
    onPage("/register", "Register", {}, "Useruser is required"),
  ],
  [
    "'Email is required', 'Password is required'.",
    "visitor",
    onPage("/register", "Register", { username: "Ann" }, "Email is required"),
  ],
  [
    "Register: 'Useruser is required' (username), 'Email is required', 'Password is required'.",
    "visitor",
    onPage("/register", "Register", { username: "Ann", email: "a@b.org" }, "Password is required"),
  ],
  ["Create post: 'post title is requierd'", "author", inCreate({ title: "  " }, "post title is requierd")],
  ["'post category is requierd'", "author", inCreate({ category: "" }, "post category is requierd")],
  [
    "'post description is requierd'",
    "author",
    inCreate({ description: " " }, "post description is requierd"),
  ],
  ["'post image is requierd'", "author", inCreate({}, "post image is requierd")],
  [update, "author", inUpdate({ title: "  " }, "post title is requierd")],
  [update, "author", inUpdate({ category: "" }, "post category is requierd")],
  [update, "author", inUpdate({ description: "" }, "post description is requierd")],
  [
    "Add category: 'Categoary Title is required'.",
    "admin",
    onPage("/admin-dashboard", "Add", { title: " " }, "Categoary Title is required"),
  ],
  [
    comments,
    "other",
    async ({ page, post: shown }) => {
      await open(page, `/posts/details/${shown._id}`);
      await refuses(page, "Comment", { text: " \n " }, "Pleace write something");
    },
  ],
  [
    comments,
    "author",
    async ({ page, post: shown }) => {
      await open(page, `/posts/details/${shown._id}`);
      await page.getByRole("button", { name: "Edit comment" }).first().click();
      const dialog = page.getByRole("dialog", { name: "Edit Comment" });
      await dialog.locator("textarea").fill("  ");
      await dialog.locator("form button:not([type=button])").click();
      await expectVisible(page.getByText("please write something", { exact: true }));
    },
  ],
  [resets, "visitor", onPage("/forgot-password", "Submit", { email: " " }, "Email is required")],
  [
    resets,
    "newcomer",
    async ({ page, me }) => {
      await open(page, await requestReset(me));
      await expectVisible(page.getByLabel("New Password"));
      await refuses(page, "Submit", { password: "" }, "Password is required");
    },
  ],
  [
    files,
    "author",
    async ({ page, post: shown }) => {
      await open(page, `/posts/details/${shown._id}`);
      await page.getByRole("button", { name: "upload" }).click();
      await expectVisible(
        page.locator(".Toastify__toast--warning").getByText("there is no images", { exact: true }),
      );
    },
  ],
  [
    files,
    "author",
    async ({ page, me }) => {
      await open(page, `/profile/${me._id}`);
      await page.getByRole("button", { name: "upload" }).click();
      await expectVisible(
        page.locator(".Toastify__toast--warning").getByText("ther is no file!", { exact: true }),
      );
    },
  ],
  [
    "Profile update: password is sent only if non-empty.",
    "newcomer",
    async ({ page, me }) => {
      await open(page, `/profile/${me._id}`);
      const dialog = page.getByRole("dialog");
      for (const password of ["", "eight green herons"]) {
        await page.getByRole("button", { name: "Update Profile" }).click();
        await dialog.getByLabel("Password").fill(password);
        const request = page.waitForRequest((each) => (each.postData() ?? "").includes("UpdateProfile"));
        await dialog.getByRole("button", { name: "Update Profile" }).click();
        const { input } = (JSON.parse((await request).postData() ?? "{}") as any).variables;
        expect(input.password).toBe(password || undefined);
        await expectHidden(dialog);
      }
      const body = { email: me.email, password: "eight green herons" };
      expect((await call("POST", "/auth/login", { body })).status).toBe(200);
    },
  ],
  [
    destructive,
    "author",
    asks(({ post: { _id } }) => `/posts/details/${_id}`, "Delete comment", "this comment"),
  ],
  [destructive, "author", asks(({ post: { _id } }) => `/posts/details/${_id}`, "Delete post", "this post")],
  [destructive, "author", asks(({ me }) => `/profile/${me._id}`, "Delete Your Account", "your profile")],
  [destructive, "admin", asks(() => "/admin-dashboard/users-table", "Delete User", "this user")],
  [destructive, "admin", asks(() => "/admin-dashboard/posts-table", "Delete Post", "this post")],
  [destructive, "admin", asks(() => "/admin-dashboard/categories-table", "Delete Category", "this category")],
  [destructive, "admin", asks(() => "/admin-dashboard/comments-table", "Delete Comment", "this comment")],
]);
