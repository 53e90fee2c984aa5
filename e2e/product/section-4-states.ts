import { expect } from "vitest";
import { call, register, requestReset } from "../testing/people.ts";
import {
  leadsTo,
  expectHidden,
  open,
  pictureFile,
  expectVisible,
  storedUser,
  toastIn,
  writeComment,
  writePost,
} from "../testing/stage.ts";
import { section, type Scene } from "./row.ts";

/** Every change waits that long on its way, so that what is shown meanwhile can be seen. */
async function slowDown({ page }: Scene, ms = 600): Promise<void> {
  await page.route("**/graphql", async (route) => {
    await new Promise((done) => setTimeout(done, ms));
    await route.continue().catch(() => undefined);
  });
}

async function fillPost({ page }: Scene, title: string): Promise<void> {
  await open(page, "/posts/create-post");
  await page.getByLabel("Post Title").fill(title);
  await page.getByRole("combobox").selectOption("Places");
  await page.getByLabel("Post Description").fill("Long enough for a post.");
  await page.locator("input[type=file]").setInputFiles(await pictureFile());
}

const createButton = ({ page }: Scene) => page.locator("#main form button:not([type=button])");

/** A notice in the frame that goes by itself after two seconds. */
async function isNoticed({ page }: Scene): Promise<void> {
  const notice = page.getByRole("status").filter({ hasText: /\w/ });
  await expectVisible(notice);
  const seen = Date.now();
  await notice.first().waitFor({ state: "detached" });
  expect(Date.now() - seen).toBeGreaterThan(1_000);
  expect(Date.now() - seen).toBeLessThan(3_500);
}

const leave = async ({ page, me }: Scene) => {
  await open(page, `/profile/${me._id}`);
  await page.getByRole("button", { name: "Delete Your Account" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "OK" }).click();
};

export const states = section(4, [
  [
    "login: sets the user (stored locally) and clears registerMessage.",
    "visitor",
    async ({ page }) => {
      const { link, email, password, username } = await register();
      await call("GET", link.replace("/users/", "/auth/"));
      await open(page, "/login");
      expect(await storedUser(page)).toBeNull();
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Login" }).click();
      await leadsTo(page, "/");
      expect((await storedUser(page)).username).toBe(username);
      await expectHidden(page.getByRole("dialog"));
    },
  ],
  [
    "logout or account deletion: clears the session and local storage.",
    "newcomer",
    async ({ page, me }) => {
      await open(page, "/");
      await page.getByRole("button", { name: me.username }).click();
      await page.getByRole("button", { name: "Logout" }).click();
      await expectVisible(page.getByRole("banner").getByRole("link", { name: "Login" }));
      expect(await page.evaluate(() => localStorage.length)).toBe(0);
      await expect
        .poll(async () => (await call("PUT", "/posts/like/x", { token: me.token })).status)
        .toBe(401);
    },
  ],
  [
    "logout or account deletion: clears the session and local storage.",
    "newcomer",
    async (scene) => {
      await leave(scene);
      await leadsTo(scene.page, "/");
      expect(await scene.page.evaluate(() => localStorage.length)).toBe(0);
      expect((await call("GET", `/users/profile/${scene.me._id}`)).status).toBe(404);
    },
  ],
  [
    "register: stores the returned message, shown in a dialog.",
    "visitor",
    async ({ page }) => {
      await open(page, "/register");
      await page.getByLabel("Username").fill(`States ${Date.now()}`);
      await page.getByLabel("Email").fill(`states-${Date.now()}@example.org`);
      await page.getByLabel("Password").fill("seven blue herons");
      const response = page.waitForResponse("**/graphql");
      await page.getByRole("button", { name: "Register" }).click();
      const { message } = ((await (await response).json()) as any).data.register;
      await expectVisible(page.getByRole("dialog").getByText(message));
    },
  ],
  [
    "setUserPhoto and setUsername replace the user's profilePhoto and username.",
    "newcomer",
    async ({ page, me }) => {
      await open(page, `/profile/${me._id}`);
      const before = await storedUser(page);
      await page.getByRole("button", { name: "Update Profile" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Username").fill(`${me.username} II`);
      await dialog.getByRole("button", { name: "Update Profile" }).click();
      await expectVisible(page.getByRole("banner").getByRole("button", { name: `${me.username} II` }));
      await page
        .locator("#main input[type=file]")
        .first()
        .setInputFiles(await pictureFile());
      await page.getByRole("button", { name: "upload" }).click();
      await expect
        .poll(async () => (await storedUser(page)).profilePhoto.url)
        .not.toBe(before.profilePhoto.url);
      const after = await storedUser(page);
      expect(after.username).toBe(`${me.username} II`);
      expect(await page.locator("header .avatar").first().getAttribute("src")).toBe(after.profilePhoto.url);
    },
  ],
  [
    "Email verified: isEmailVerified becomes true and registerMessage is cleared when the verify call succeeds.",
    "visitor",
    async ({ page }) => {
      const account = await register();
      await open(page, account.link);
      await expectVisible(page.getByText("Your email address has been successfully verified"));
      await expectHidden(page.getByRole("dialog"));
      expect((await call("POST", "/auth/login", { body: account })).status).toBe(400);
      const { email, password } = account;
      expect((await call("POST", "/auth/login", { body: { email, password } })).status).toBe(200);
    },
  ],
  [
    "Password-reset page: an error flag is set when the link check fails, showing 'Not Found'.",
    "newcomer",
    async ({ page, me }) => {
      await requestReset(me);
      await open(page, `/reset-password/${me._id}/nothing`);
      await expectVisible(page.getByRole("heading", { name: "Not Found", exact: true }));
    },
  ],
  [
    "Post creation: loading on and a spinner replaces the button label; on success a created flag is set, redirect to /, flag clears after 2 seconds",
    "author",
    async (scene) => {
      await fillPost(scene, "Made in a browser");
      await slowDown(scene);
      const button = createButton(scene);
      const width = (await button.boundingBox())?.width;
      await button.click();
      await expectVisible(button.getByRole("status"));
      expect(await button.locator(".label").isVisible()).toBe(false);
      expect((await button.boundingBox())?.width).toBe(width);
      await leadsTo(scene.page, "/");
      await isNoticed(scene);
      await expectVisible(scene.page.getByRole("link", { name: "Made in a browser", exact: true }));
    },
  ],
  [
    "on failure loading is cleared.",
    "author",
    async (scene) => {
      await fillPost(scene, "Never made");
      await scene.page.route("**/graphql", (route) => route.abort());
      await createButton(scene).click();
      await expectVisible(scene.page.locator(".Toastify__toast"));
      await expect.poll(() => createButton(scene).getAttribute("aria-busy")).toBeNull();
      expect(await scene.page.getByLabel("Post Title").inputValue()).toBe("Never made");
    },
  ],
  [
    "Profile deletion: spinner, then a deleted flag, redirect to /, flag cleared after 2 seconds.",
    "newcomer",
    async (scene) => {
      await open(scene.page, "/");
      await slowDown(scene);
      await leave(scene);
      await expectVisible(scene.page.getByRole("dialog").getByRole("status"));
      await leadsTo(scene.page, "/");
      await isNoticed(scene);
    },
  ],
  [
    "Like toggles for the signed-in user.",
    "other",
    async ({ page, me, post }) => {
      await open(page, `/posts/details/${post._id}`);
      const like = page.getByRole("button", { name: /^Like/ });
      const likes = async () => (await call("GET", `/posts/${post._id}`)).body.likes;
      await like.click();
      await expectVisible(page.getByText("1 likes"));
      await expect.poll(likes).toEqual([me._id]);
      await like.click();
      await expectVisible(page.getByText("0 likes"));
      await expect.poll(likes).toEqual([]);
    },
  ],
  [
    "Editing a comment or a post opens a modal that closes on submit or via the close icon.",
    "author",
    async ({ page, me }) => {
      const own = await writePost(me);
      await writeComment(me, own._id);
      await open(page, `/posts/details/${own._id}`);
      for (const [opener, title, field] of [
        ["Edit comment", "Edit Comment", "textarea"],
        ["Edit post", "Update Post", "textarea[name=description]"],
      ] as const) {
        const dialog = page.getByRole("dialog", { name: title });
        await page.getByRole("button", { name: opener }).click();
        await dialog.getByRole("button", { name: "Close" }).click();
        await expectHidden(dialog);
        await page.getByRole("button", { name: opener }).click();
        await dialog.locator(field).fill(`Changed by ${title}, for the better.`);
        await dialog.locator("form button:not([type=button])").click();
        await expectHidden(dialog);
        await expectVisible(page.locator("#main").getByText(`Changed by ${title}, for the better.`));
      }
    },
  ],
  [
    "The navigation menu has an open/closed toggle.",
    "visitor",
    async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 800 });
      await open(page, "/");
      const posts = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Posts" });
      const toggle = page.locator(".menu-toggle");
      await expectHidden(posts);
      await toggle.click();
      await expectVisible(posts);
      expect(await toggle.getAttribute("aria-expanded")).toBe("true");
      await toggle.click();
      await expectHidden(posts);
      expect(await toggle.getAttribute("aria-expanded")).toBe("false");
    },
  ],
]);

export const failedCreation = section(8, [
  [
    "A failed post creation also clears the loading state.",
    "author",
    async (scene) => {
      await fillPost(scene, "Never made either");
      await slowDown(scene, 300);
      await scene.page.getByLabel("Post Description").fill("short");
      await createButton(scene).click();
      await expectVisible(createButton(scene).getByRole("status"));
      await expectVisible(toastIn(scene.page, '"description" length must be at least 10 characters long'));
      await expectHidden(createButton(scene).getByRole("status"));
    },
  ],
]);
