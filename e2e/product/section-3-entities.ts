import { expect } from "vitest";
import { call, register } from "../testing/people.ts";
import { leadsTo, expectHidden, open, expectVisible, storedUser, writeComment } from "../testing/stage.ts";
import { section, type Scene } from "./row.ts";

/** Signs the account in by the form. */
async function fillLogin({ page, author }: Scene): Promise<void> {
  await open(page, "/login");
  await page.getByLabel("Email").fill(author.email);
  await page.getByLabel("Password").fill(author.password);
  await page.getByRole("button", { name: "Login" }).click();
  await leadsTo(page, "/");
}

export const entities = section(3, [
  [
    "User (session): _id, username, profilePhoto{url}, token, isAdmin, email.",
    "visitor",
    async (scene) => {
      await fillLogin(scene);
      const { _id, username, email } = scene.author;
      const user = await storedUser(scene.page);
      expect(user).toMatchObject({ _id, username, email, isAdmin: false });
      expect(user.profilePhoto.url).toMatch(/^http/);
      expect((await call("GET", "/users/count", { token: user.token })).status).toBe(403);
    },
  ],
  [
    "The session is kept in browser local storage under 'userInfo'.",
    "visitor",
    async (scene) => {
      await fillLogin(scene);
      expect(await scene.page.evaluate(() => Object.keys(localStorage))).toContain("userInfo");
      await open(scene.page, "/");
      await expectVisible(scene.page.getByRole("button", { name: scene.author.username }));
    },
  ],
  [
    "Profile: _id, username, bio, email, createdAt, profilePhoto{url}, posts[].",
    "author",
    async ({ me, post }) => {
      const { status, body } = await call("GET", `/users/profile/${me._id}`, { token: me.token });
      expect(status).toBe(200);
      expect(body).toMatchObject({ _id: me._id, username: me.username, email: me.email });
      expect(body).toHaveProperty("bio");
      expect(Date.parse(body.createdAt)).toBeGreaterThan(0);
      expect(body.profilePhoto.url).toMatch(/^http/);
      expect(body.posts.map((each: any) => each._id)).toContain(post._id);
    },
  ],
  [
    "Post: _id, title, description, category (a category title), image{url}, user{_id, username, profilePhoto{url}}, createdAt, likes[] (list of user ids), comments[].",
    "other",
    async ({ me, author, post }) => {
      await call("PUT", `/posts/like/${post._id}`, { token: me.token });
      const { body } = await call("GET", `/posts/${post._id}`);
      expect(body).toMatchObject({ _id: post._id, title: post.title, category: "Places", likes: [me._id] });
      expect(body.description).toBe("It is here to be read, liked and deleted.");
      expect(body.user).toMatchObject({ _id: author._id, username: author.username });
      expect(body.user.profilePhoto.url).toMatch(/^http/);
      expect((await fetch(body.image.url)).headers.get("content-type")).toMatch(/^image\//);
      expect(Date.parse(body.createdAt)).toBeGreaterThan(0);
      expect(body.comments).toHaveLength(1);
      await call("PUT", `/posts/like/${post._id}`, { token: me.token });
    },
  ],
  [
    "Comment: _id, text, postId (on create), user (id), username, createdAt.",
    "author",
    async ({ me, post }) => {
      const comment = await writeComment(me, post._id, "For its fields.");
      const { _id: user, username } = me;
      expect(comment).toMatchObject({ text: "For its fields.", postId: post._id, user, username });
      expect(comment._id).toBeTypeOf("string");
      expect(Date.parse(comment.createdAt)).toBeGreaterThan(0);
      await call("DELETE", `/comments/${comment._id}`, { token: me.token });
    },
  ],
  [
    "Category: _id, title.",
    "visitor",
    async () => {
      const categories = (await call("GET", "/categories")).body;
      expect(categories.length).toBeGreaterThan(0);
      for (const each of categories)
        expect(each).toMatchObject({ _id: expect.any(String), title: expect.any(String) });
    },
  ],
  [
    "Auth state: user (restored from the saved local copy or null)",
    "author",
    async ({ page, me }) => {
      await open(page, "/");
      await expectVisible(page.getByRole("button", { name: me.username }));
      await page.evaluate(() => localStorage.clear());
      await open(page, "/");
      await expectVisible(page.getByRole("banner").getByRole("link", { name: "Login" }));
      await expectHidden(page.getByRole("button", { name: me.username }));
    },
  ],
  [
    "registerMessage (text or null), isEmailVerified (boolean, initially false).",
    "visitor",
    async ({ page }) => {
      await open(page, "/register");
      await expectHidden(page.getByRole("dialog"));
      const { link } = await register();
      await page.route("**/graphql", async (route) => {
        await new Promise((done) => setTimeout(done, 500));
        await route.continue();
      });
      await open(page, link);
      const verified = page.getByText("Your email address has been successfully verified");
      await expectHidden(verified);
      await expectVisible(verified);
    },
  ],
]);
