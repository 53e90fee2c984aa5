import { expect } from "vitest";
import { leadsTo, expectHidden, open, expectVisible, storedUser } from "../testing/stage.ts";
import { section, type Scene } from "./row.ts";

const menuOf = (page: Scene["page"]) => page.getByRole("navigation", { name: "Main" }).getByRole("link");

const adminPaths = ["", "/users-table", "/posts-table", "/categories-table", "/comments-table"];

async function isRedirectedFromAdmin({ page }: Scene): Promise<void> {
  for (const path of adminPaths) {
    await page.goto(`/admin-dashboard${path}`);
    await leadsTo(page, "/");
  }
}

const tables: [path: string, columns: string[]][] = [
  ["users-table", ["Count", "User", "Email", "Action"]],
  ["posts-table", ["Count", "User", "Post Title", "Action"]],
  ["categories-table", ["Count", "Category Title", "Action"]],
  ["comments-table", ["Count", "User", "Comment", "Action"]],
];

export const frame = section(2, [
  [
    "| /admin-dashboard/users-table, /posts-table, /categories-table, /comments-table | Admin tables. |",
    "admin",
    async ({ page }) => {
      for (const [path, columns] of tables) {
        await open(page, `/admin-dashboard/${path}`);
        for (const name of columns)
          await expectVisible(page.getByRole("columnheader", { name, exact: true }));
        await expect.poll(() => page.getByRole("row").count()).toBeGreaterThan(1);
      }
    },
  ],
  ["All admin routes redirect to / unless the user is an admin.", "visitor", isRedirectedFromAdmin],
  ["All admin routes redirect to / unless the user is an admin.", "author", isRedirectedFromAdmin],
  [
    "Navigation menu links: / (Home) and /posts (Posts) always",
    "visitor",
    async ({ page }) => {
      await open(page, "/");
      expect(await menuOf(page).allTextContents()).toEqual(["Home", "Posts"]);
      await menuOf(page).getByText("Posts").click();
      await leadsTo(page, "/posts");
      await menuOf(page).getByText("Home").click();
      await leadsTo(page, "/");
    },
  ],
  [
    "/posts/create-post (Create) only when logged in",
    "author",
    async ({ page }) => {
      await open(page, "/");
      await expect.poll(() => menuOf(page).allTextContents()).toEqual(["Home", "Posts", "Create"]);
      await menuOf(page).getByText("Create").click();
      await leadsTo(page, "/posts/create-post");
    },
  ],
  [
    "/admin-dashboard (labelled Admin Dachboard) only when the user has isAdmin true",
    "admin",
    async ({ page }) => {
      await open(page, "/");
      await expect
        .poll(() => menuOf(page).allTextContents())
        .toEqual(["Home", "Posts", "Create", "Admin Dachboard"]);
      await menuOf(page).getByText("Admin Dachboard").click();
      await leadsTo(page, "/admin-dashboard");
    },
  ],
  [
    "Clicking any link also closes the menu.",
    "admin",
    async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 800 });
      await open(page, "/posts");
      for (const name of ["Home", "Posts", "Create", "Admin Dachboard"]) {
        await page.getByRole("button", { name: "Open menu" }).click();
        await menuOf(page).getByText(name, { exact: true }).click();
        await expectHidden(menuOf(page));
        await expectVisible(page.getByRole("button", { name: "Open menu" }));
      }
    },
  ],
  [
    "Header: when logged out, Login and Register links",
    "visitor",
    async ({ page }) => {
      await open(page, "/");
      await page.getByRole("banner").getByRole("link", { name: "Login" }).click();
      await leadsTo(page, "/login");
      await page.getByRole("banner").getByRole("link", { name: "Register" }).click();
      await leadsTo(page, "/register");
    },
  ],
  [
    "when logged in, the username and photo with a dropdown holding Profile (to /profile/{id}) and Logout",
    "newcomer",
    async ({ page, me }) => {
      await open(page, "/");
      const opener = page.getByRole("banner").getByRole("button", { name: me.username });
      expect(await opener.locator("img").getAttribute("src")).toBe((await storedUser(page)).profilePhoto.url);
      await expectHidden(
        page.getByRole("link", { name: "Login" }),
        page.getByRole("link", { name: "Register" }),
      );
      await opener.click();
      await page.getByRole("link", { name: "Profile", exact: true }).click();
      await leadsTo(page, `/profile/${me._id}`);
      await opener.click();
      await page.getByRole("button", { name: "Logout" }).click();
      await expectVisible(page.getByRole("banner").getByRole("link", { name: "Login" }));
    },
  ],
  [
    "Footer shows a copyright line.",
    "visitor",
    async ({ page }) => {
      await open(page, "/");
      const footer = page.getByRole("contentinfo");
      await expectVisible(footer.getByText(`Copyright ${new Date().getFullYear()} ©`));
    },
  ],
  [
    "Category sidebar links go to posts/categories/{title}.",
    "visitor",
    async ({ page }) => {
      for (const path of ["/", "/posts"]) {
        await open(page, path);
        await page.getByRole("complementary").getByRole("link", { name: /^Food/ }).click();
        await leadsTo(page, "/posts/categories/Food");
      }
    },
  ],
]);
