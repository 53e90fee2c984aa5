import type { Browser } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, signIn, visit } from "./testing/browser.ts";
import { givenBlog } from "./testing/given-blog.ts";
import { findEmail, linkIn } from "./testing/outbox.ts";
import { open, toastIn } from "./testing/stage.ts";

const { url, outbox, email, password } = givenBlog;

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const NEWCOMER = { username: "Théo Marchand", email: "theo@example.org", password: "seven blue herons" };

test("a user registers, verifies, logs in, edits the profile, resets the password and deletes the account", async () => {
  const { page, context, complaints } = await visit(browser, url);

  await page.goto("/register");
  await page.getByRole("button", { name: "Register" }).click();
  await toastIn(page, "Useruser is required").waitFor();
  await page.getByText("Please enter a username.").waitFor();
  await page.getByLabel("Username").fill(NEWCOMER.username);
  await page.getByLabel("Email").fill(NEWCOMER.email);
  await page.getByLabel("Password").fill(NEWCOMER.password);
  await page.getByRole("button", { name: "Register" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("We sent to you an email, please verify your email address").waitFor();
  await dialog.getByText("This blog has no mail server yet: an admin finds the email").waitFor();
  await dialog.getByRole("button", { name: "OK" }).click();
  await page.waitForURL("**/login");

  const welcome = await findEmail(outbox, NEWCOMER.email, /^Verify/);
  await page.goto(linkIn(welcome, /\/users\/\S+\/verify\/\S+/));
  await page.getByText("Your email address has been successfully verified").waitFor();
  await page.getByRole("link", { name: "Go To Login Page" }).click();
  await signIn(page, NEWCOMER.email, NEWCOMER.password);

  await page.getByRole("button", { name: NEWCOMER.username }).click();
  await page.getByRole("link", { name: "Profile" }).click();
  await page.getByRole("button", { name: "Update Profile" }).click();
  await dialog.getByLabel("Username").fill("Théo M.");
  await dialog.getByLabel("Bio").fill("Walks along rivers.");
  await dialog.getByLabel("Password").fill("eight green herons");
  await dialog.getByRole("button", { name: "Update Profile" }).click();
  await page.getByRole("heading", { name: "Théo M.", level: 1 }).waitFor();
  await page.getByRole("status").getByText("Saved").waitFor();
  await page.getByText("Walks along rivers.").waitFor();
  await page.getByRole("button", { name: "Théo M.", exact: true }).waitFor();
  await findEmail(outbox, NEWCOMER.email, /password .* was changed/);

  await page.getByRole("button", { name: "upload" }).click();
  await page.getByText("ther is no file!").waitFor();
  const buffer = await sharp({ create: { width: 300, height: 300, channels: 3, background: "#2a6" } })
    .png()
    .toBuffer();
  await page.getByLabel("Choose a photo").setInputFiles({ name: "me.png", mimeType: "image/png", buffer });
  await page.getByRole("button", { name: "upload" }).click();
  await page.getByText("your profile photo uploaded successfully").waitFor();
  const photo = page.locator("header .avatar").first();
  await expect.poll(() => photo.getAttribute("src")).toContain("/media/");

  await page.getByRole("button", { name: "Théo M.", exact: true }).click();
  await page.getByRole("button", { name: "Logout" }).click();
  await page.getByRole("link", { name: "Login", exact: true }).click();
  await page.getByRole("link", { name: "Forgot Password" }).click();
  // The login page has a field labelled Email as well.
  await page.getByRole("heading", { name: "Forgot Password", level: 1 }).waitFor();
  await page.getByLabel("Email").fill(NEWCOMER.email);
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("Password reset link sent to your email, Please check your inbox").waitFor();
  expect(await page.getByLabel("Email").count()).toBe(0);
  await page.getByText(NEWCOMER.email, { exact: true }).waitFor();
  const reset = await findEmail(outbox, NEWCOMER.email, /^Reset your password/);
  const link = linkIn(reset, /\/reset-password\/\S+/);
  await page.goto(link);
  await page.getByLabel("New Password").fill("nine grey herons");
  await page.getByRole("button", { name: "Submit" }).click();
  await page.waitForURL("**/login");
  await page.goto(link);
  await page.getByRole("heading", { name: "Not Found" }).waitFor();
  await page.getByText(/works once/).waitFor();
  await page.getByRole("link", { name: "Request a new link" }).click();
  await page.waitForURL("**/forgot-password");

  await signIn(page, NEWCOMER.email, "nine grey herons");
  await page.getByRole("button", { name: "Théo M.", exact: true }).click();
  await page.getByRole("link", { name: "Profile" }).click();
  await page.getByText("this browser").waitFor();
  // A second session, which this browser ends.
  const elsewhere = { email: NEWCOMER.email, password: "nine grey herons" };
  const response = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": "Mozilla/5.0 (X11; Linux) Firefox/140.0" },
    body: JSON.stringify(elsewhere),
  });
  const { token } = (await response.json()) as { token: string };
  await page.reload();
  await page.getByRole("button", { name: /^Sign out Firefox/ }).click();
  await expect.poll(() => page.getByRole("button", { name: /^Sign out Firefox/ }).count()).toBe(0);
  const ended = await fetch(`${url}/api/posts/like/1`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}` },
  });
  expect(ended.status).toBe(401);
  await page.getByRole("button", { name: "Delete Your Account" }).click();
  await dialog.getByText("Once deleted, you will not be able to recover your profile!").waitFor();
  await dialog.getByRole("button", { name: "OK" }).click();
  await page.waitForURL("**/");
  await page.getByText("your profile has been deleted").waitFor();
  await page.getByRole("link", { name: "Login", exact: true }).waitFor();
  await findEmail(outbox, NEWCOMER.email, /was deleted$/);
  expect(complaints).toEqual([]);
  await context.close();
});

test("dialogs close on Escape, on a click outside and by their icon, and restore the focus", async () => {
  const { page, context } = await visit(browser, url, { viewport: { width: 1280, height: 800 } });
  await signIn(page, email, password);
  await page.getByRole("button", { name: "Maya Lindqvist" }).click();
  await page.getByRole("link", { name: "Profile" }).click();
  const opener = page.getByRole("button", { name: "Update Profile" });
  const dialog = page.getByRole("dialog");
  for (const close of [
    () => page.keyboard.press("Escape"),
    () => page.mouse.click(10, 400),
    () => dialog.getByRole("button", { name: "Close" }).click(),
  ]) {
    await opener.first().click();
    expect((await dialog.boundingBox())?.width).toBe(478);
    await close();
    await dialog.waitFor({ state: "detached" });
    await expect
      .poll(() => opener.first().evaluate((element) => element === document.activeElement))
      .toBe(true);
  }
  // Toasts are above the dialog's backdrop, and can be closed there.
  await opener.first().click();
  await dialog.getByLabel("Username").fill("");
  await dialog.getByRole("button", { name: "Update Profile" }).click();
  await toastIn(page, "Useruser is required").waitFor();
  await page.locator(".Toastify__toast:not(.Toastify--animate)").waitFor();
  await page.locator(".Toastify__toast").getByRole("button", { name: "close" }).click();
  await toastIn(page, "Useruser is required").waitFor({ state: "detached" });
  await dialog.waitFor();
  // An error goes with its dialog.
  await dialog.getByRole("button", { name: "Update Profile" }).click();
  await toastIn(page, "Useruser is required").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.locator(".Toastify__toast").count(), { timeout: 2_500 }).toBe(0);
  await context.close();
});

test("a click on one's photo chooses a file, and danger comes last", async () => {
  const { page, context } = await visit(browser, url);
  await signIn(page, email, password);
  await page.getByRole("button", { name: "Maya Lindqvist" }).click();
  await page.getByRole("link", { name: "Profile" }).click();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "upload" }).waitFor();
  const photo = await page.locator(".profile-head .avatar").boundingBox();
  await page.mouse.click(photo!.x + photo!.width / 2, photo!.y + photo!.height / 2);
  await chooser;
  await page.getByRole("button", { name: "Delete Your Account" }).waitFor();
  const buttons = await page.getByRole("main").getByRole("button").allTextContents();
  expect(buttons.at(-1)).toBe("Delete Your Account");
  const posts = await page.getByRole("region", { name: "Maya Lindqvist Posts" }).boundingBox();
  const sessions = await page.getByRole("region", { name: "Where you are signed in" }).boundingBox();
  expect(sessions!.y).toBeGreaterThanOrEqual(posts!.y + posts!.height);
  await context.close();
});

test("toasts lie under an open menu, move off the focused control and go after five seconds", async () => {
  const { page, context } = await visit(browser, url, { viewport: { width: 390, height: 500 } });
  await page.goto("/register");
  await page.getByRole("button", { name: "Register" }).click();
  await toastIn(page, "Useruser is required").waitFor();
  const shown = Date.now();
  // A toast under the pointer stays.
  await page.mouse.move(5, 250);
  const covering = () =>
    page.evaluate(() => {
      const [one, other] = [document.activeElement, document.querySelector(".Toastify__toast-container")].map(
        (each) => each!.getBoundingClientRect(),
      );
      return one!.bottom > other!.top && one!.top < other!.bottom;
    });
  expect(await covering()).toBe(false);
  await page.getByLabel("Username").evaluate((field) => scrollBy(0, field.getBoundingClientRect().top - 80));
  await expect.poll(covering).toBe(false);
  await page.locator(".Toastify__toast").waitFor({ state: "detached" });
  expect(Date.now() - shown).toBeLessThan(7_500);
  await page.evaluate(() => scrollTo(0, 0));
  await page.getByRole("button", { name: "Register" }).click();
  await page.locator(".Toastify__toast:not(.Toastify--animate)").waitFor();
  await page.getByRole("button", { name: "Open menu" }).click();
  const posts = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Posts" });
  await posts.click({ timeout: 2_000 });
  await page.waitForURL("**/posts");
  await expect.poll(() => page.locator(".Toastify__toast").count(), { timeout: 2_500 }).toBe(0);
  await context.close();
});

test("the open account menu lies above toasts", async () => {
  const { page, context } = await visit(browser, url);
  await signIn(page, email, password);
  await open(page, "/posts/create-post");
  await page.locator("#main").getByRole("button", { name: "Create", exact: true }).click();
  const toast = page.locator(".Toastify__toast:not(.Toastify--animate)");
  await toast.waitFor();
  await page.getByRole("button", { name: "Maya Lindqvist" }).click();
  const link = page.getByRole("link", { name: "Profile" });
  const [over, under] = [(await link.boundingBox())!, (await toast.boundingBox())!];
  expect(Math.min(over.x + over.width, under.x + under.width)).toBeGreaterThan(Math.max(over.x, under.x));
  expect(Math.min(over.y + over.height, under.y + under.height)).toBeGreaterThan(Math.max(over.y, under.y));
  await link.click({ timeout: 2_000 });
  await page.waitForURL("**/profile/*");
  await context.close();
});

test("an invalid verification link shows Not Found and logs the reason to the console", async () => {
  const { page, context, complaints } = await visit(browser, url);
  const infos: string[] = [];
  page.on("console", (message) => message.type() === "info" && infos.push(message.text()));
  await page.goto("/users/00000000-0000-0000-0000-000000000000/verify/nothing");
  await page.getByRole("heading", { name: "Not Found" }).waitFor();
  await page.getByText(/valid for a day/).waitFor();
  await page.getByRole("link", { name: "Go To Login Page" }).waitFor();
  expect(infos).toEqual(["Email verification failed: invalid link"]);
  expect(complaints).toEqual([]);
  await context.close();
});

test("signing out in one tab signs out the other, and the login page redirects signed-in users", async () => {
  const { page, context } = await visit(browser, url);
  await signIn(page, email, password);
  const other = await context.newPage();
  for (const path of ["/login", "/register", "/users/x/verify/y"]) {
    await other.goto(path);
    await other.waitForURL("**/");
  }
  await other.getByRole("button", { name: "Maya Lindqvist" }).waitFor();
  await page.getByRole("button", { name: "Maya Lindqvist" }).click();
  await page.getByRole("button", { name: "Logout" }).click();
  await other.getByRole("link", { name: "Login", exact: true }).waitFor();
  await context.close();
});
