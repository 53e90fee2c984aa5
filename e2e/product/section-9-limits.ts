import { expect } from "vitest";
import { call } from "../testing/people.ts";
import { leadsTo, expectHidden, open, pictureFile, expectVisible } from "../testing/stage.ts";
import { section, type Scene } from "./row.ts";

const pager = ({ page }: Scene) => page.getByRole("navigation", { name: "Pages" });
const steps = "Pager: Previous (disabled on page 1), numbered pages, Next (disabled on the last page).";
const flags = "Created and deleted flags reset after 2000 ms.";
const dates = "Comment times shown as 'time ago'; post dates as a short date string.";

/** Milliseconds until the notice disappears. */
async function timeShown({ page }: Scene, selector: string): Promise<number> {
  const target = page.locator(selector).filter({ hasText: /\w/ });
  await expectVisible(target);
  const seen = Date.now();
  await target.first().waitFor({ state: "detached" });
  return Date.now() - seen;
}

const lastsTwoSeconds = async (scene: Scene) => {
  await leadsTo(scene.page, "/");
  const shown = await timeShown(scene, "[role=status]");
  expect(shown).toBeGreaterThan(1_000);
  expect(shown).toBeLessThan(3_500);
};

export const limits = section(9, [
  [
    "Post list page size: 3 (pages = ceil(count/3))",
    "visitor",
    async (scene) => {
      const count = (await call("GET", "/posts/count")).body as number;
      await open(scene.page, "/posts");
      expect(await scene.page.getByRole("article").count()).toBe(3);
      const last = await pager(scene).getByRole("link", { name: /^Page/ }).last().textContent();
      expect(Number(last)).toBe(Math.ceil(count / 3));
    },
  ],
  [
    flags,
    "author",
    async (scene) => {
      const { page } = scene;
      await open(page, "/posts/create-post");
      await page.getByLabel("Post Title").fill("For two seconds");
      await page.getByRole("combobox").selectOption("Places");
      await page.getByLabel("Post Description").fill("Long enough for a post.");
      await page.locator("input[type=file]").setInputFiles(await pictureFile());
      await page.locator("#main form button:not([type=button])").click();
      await lastsTwoSeconds(scene);
    },
  ],
  [
    flags,
    "newcomer",
    async (scene) => {
      await open(scene.page, `/profile/${scene.me._id}`);
      await scene.page.getByRole("button", { name: "Delete Your Account" }).click();
      await scene.page.getByRole("dialog").getByRole("button", { name: "OK" }).click();
      await lastsTwoSeconds(scene);
    },
  ],
  [
    "Toasts auto-close after 5000 ms by default.",
    "visitor",
    async (scene) => {
      await open(scene.page, "/login");
      await scene.page.getByRole("button", { name: "Login" }).click();
      const shown = await timeShown(scene, ".Toastify__toast");
      expect(shown).toBeGreaterThan(4_500);
      expect(shown).toBeLessThan(8_000);
    },
  ],
  [
    steps,
    "visitor",
    async (scene) => {
      await open(scene.page, "/posts");
      const previous = pager(scene).getByText("Previous");
      const next = pager(scene).getByText("Next");
      expect(await previous.getAttribute("aria-disabled")).toBe("true");
      expect(await previous.getAttribute("href")).toBeNull();
      await next.click();
      await leadsTo(scene.page, "/posts?page=2");
      await previous.click();
      await leadsTo(scene.page, "/posts");
      await pager(scene).getByRole("link", { name: /^Page/ }).last().click();
      await expect.poll(() => next.getAttribute("aria-disabled")).toBe("true");
      expect(await previous.getAttribute("href")).toBeTruthy();
    },
  ],
  [
    dates,
    "visitor",
    async ({ page, post }) => {
      await open(page, `/posts/details/${post._id}`);
      const { createdAt } = (await call("GET", `/posts/${post._id}`)).body;
      const short = await page.evaluate((iso) => new Date(iso).toDateString(), createdAt as string);
      await expectVisible(page.getByRole("article").getByText(short, { exact: true }));
      await expectVisible(page.getByRole("listitem").getByText(/^(just now|\d+ \w+ ago)$/));
    },
  ],
  [
    "Modal dialogs close on Escape and on a click outside; width 478px.",
    "author",
    async ({ page, me, post }) => {
      for (const [path, opener] of [
        [`/profile/${me._id}`, "Update Profile"],
        [`/profile/${me._id}`, "Delete Your Account"],
        [`/posts/details/${post._id}`, "Edit post"],
        [`/posts/details/${post._id}`, "Edit comment"],
      ] as const) {
        await open(page, path);
        const dialog = page.getByRole("dialog");
        for (const close of [() => page.keyboard.press("Escape"), () => page.mouse.click(10, 400)]) {
          await page.getByRole("button", { name: opener }).first().click();
          await expectVisible(dialog);
          expect((await dialog.boundingBox())?.width).toBe(478);
          await close();
          await expectHidden(dialog);
        }
      }
    },
  ],
]);
