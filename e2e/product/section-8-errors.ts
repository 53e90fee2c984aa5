import { expect } from "vitest";
import { call, makeAccount } from "../testing/people.ts";
import { open, expectVisible, toastIn } from "../testing/stage.ts";
import { section } from "./row.ts";

export const errors = section(8, [
  [
    "Almost every failed call shows an error toast with the server response's message field.",
    "visitor",
    async ({ page }) => {
      const body = { email: "nobody.at.all@example.org", password: "wrong password" };
      const { message } = (await call("POST", "/auth/login", { body })).body;
      await open(page, "/login");
      await page.getByLabel("Email").fill(body.email);
      await page.getByLabel("Password").fill(body.password);
      await page.getByRole("button", { name: "Login" }).click();
      await expectVisible(page.locator(".Toastify__toast--error").getByText(message, { exact: true }));
    },
  ],
  [
    "Almost every failed call shows an error toast",
    "visitor",
    async ({ page }) => {
      const taken = await makeAccount();
      const body = { username: taken.username, email: "other@example.org", password: "seven blue herons" };
      const { message } = (await call("POST", "/auth/register", { body })).body;
      await open(page, "/register");
      await page.getByLabel("Username").fill(body.username);
      await page.getByLabel("Email").fill(body.email);
      await page.getByLabel("Password").fill(body.password);
      await page.getByRole("button", { name: "Register" }).click();
      await expectVisible(toastIn(page, message));
    },
  ],
  [
    "A failed reset-link check sets an error flag and the page shows 'Not Found'.",
    "visitor",
    async ({ page, author }) => {
      await open(page, `/reset-password/${author._id}/nothing`);
      await expectVisible(page.getByRole("heading", { name: "Not Found", exact: true }));
    },
  ],
  [
    "A failed email verification is only logged; the page shows 'Not Found'.",
    "visitor",
    async ({ page, author }) => {
      const logged: string[] = [];
      page.on("console", (message) => logged.push(message.text()));
      await open(page, `/users/${author._id}/verify/nothing`);
      await expectVisible(page.getByRole("heading", { name: "Not Found", exact: true }));
      expect(logged).toEqual(["Email verification failed: invalid link"]);
      expect(await page.locator(".Toastify__toast").count()).toBe(0);
    },
  ],
  [
    "Toasts auto-close, top-right.",
    "visitor",
    async ({ page }) => {
      await open(page, "/login");
      await page.getByRole("button", { name: "Login" }).click();
      const toast = page.locator(".Toastify__toast");
      await expectVisible(toast);
      await expect.poll(async () => ((await toast.boundingBox())?.x ?? 0) > 800).toBe(true);
      expect((await toast.boundingBox())?.y).toBeLessThan(160);
      await toast.waitFor({ state: "detached" });
    },
  ],
]);
