import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFreePort } from "../server/data/embedded/free-port.ts";
import { startMailServer } from "../server/testing/mail.ts";
import { makeDataDir, removeDataDir, startBlog } from "./testing/blog.ts";
import { openBrowser, signIn, visit } from "./testing/browser.ts";
import { linkIn } from "./testing/outbox.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const NORA = { username: "Nora", email: "nora@example.org", password: "five slow trains" };

test("registering works without the mail server; once it is back each email is delivered once", async () => {
  const port = await findFreePort();
  const dataDir = await makeDataDir();
  const env = { MAIL_URL: `smtp://127.0.0.1:${port}`, DEMO: "off" };
  const blog = await startBlog({ dataDir, env });
  const { page, context } = await visit(browser, blog.url);

  await page.goto("/register");
  await page.getByLabel("Username").fill(NORA.username);
  await page.getByLabel("Email").fill(NORA.email);
  await page.getByLabel("Password").fill(NORA.password);
  await page.getByRole("button", { name: "Register" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("We sent to you an email, please verify your email address").waitFor();
  expect(await dialog.getByText("no mail server").count()).toBe(0);
  await dialog.getByRole("button", { name: "OK" }).click();
  await page.goto("/forgot-password");
  await page.getByLabel("Email").fill(NORA.email);
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("Password reset link sent to your email").waitFor();

  const { delivered } = await startMailServer({ port });
  await expect.poll(() => delivered.length, { timeout: 20_000 }).toBe(2);
  expect(delivered.map(({ recipients }) => recipients)).toEqual([[NORA.email], [NORA.email]]);
  const welcome = delivered.find(({ email }) => email.subject?.startsWith("Verify"));
  if (!welcome) throw new Error("the email with the verify link has not arrived");
  await page.goto(linkIn(welcome.email, /\/users\/\S+\/verify\/\S+/));
  await page.getByText("Your email address has been successfully verified").waitFor();
  await signIn(page, NORA.email, NORA.password);
  expect(delivered).toHaveLength(2);

  await context.close();
  expect(await blog.stop()).toBe(0);
  await removeDataDir(dataDir);
});
