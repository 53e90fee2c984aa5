import { expect } from "vitest";
import { givenBlog } from "../testing/given-blog.ts";
import { call, logIn, register, requestReset } from "../testing/people.ts";
import { open, pictureForm, writeComment, writePost } from "../testing/stage.ts";
import { section } from "./row.ts";

const { url } = givenBlog;
const text = expect.any(String);

/** Every call that the table marks `(auth)`. */
const protectedCalls = [
  ["POST", "/categories"],
  ["DELETE", "/categories/x"],
  ["POST", "/posts"],
  ["PUT", "/posts/x"],
  ["PUT", "/posts/update-image/x"],
  ["PUT", "/posts/like/x"],
  ["DELETE", "/posts/x"],
  ["POST", "/comments"],
  ["PUT", "/comments/x"],
  ["DELETE", "/comments/x"],
  ["GET", "/comments"],
  ["PUT", "/users/profile/x"],
  ["DELETE", "/users/profile/x"],
  ["GET", "/users/profile"],
  ["POST", "/users/profile/profile-photo-upload"],
  ["GET", "/users/count"],
] as const;

export const calls = section(7, [
  [
    "Protected calls (auth) send Authorization: Bearer {token}.",
    "visitor",
    async () => {
      for (const [method, path] of protectedCalls) {
        const bare = await call(method, path);
        expect(bare, `${method} ${path}`).toEqual({
          status: 401,
          body: expect.objectContaining({ message: text }),
        });
      }
    },
  ],
  [
    "Default headers accept JSON and plain text; request timeout none.",
    "visitor",
    async () => {
      const headers = { accept: "application/json, text/plain, */*" };
      const response = await fetch(`${url}/api/posts/count`, { headers });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toContain("application/json");
    },
  ],
  [
    "| POST /api/auth/login | {email,password} | user object (stored) |",
    "author",
    async ({ me }) => {
      const body = { email: me.email, password: me.password };
      const response = await call("POST", "/auth/login", { body });
      expect(response.status).toBe(200);
      const { _id, username, email } = me;
      expect(response.body).toMatchObject({ _id, username, email, isAdmin: false, token: text });
    },
  ],
  [
    "| POST /api/auth/register | {username,email,password} | {message} |",
    "visitor",
    async () => {
      const name = `Calls ${Date.now()}`;
      const body = {
        username: name,
        email: `calls-${Date.now()}@example.org`,
        password: "seven blue herons",
      };
      const response = await call("POST", "/auth/register", { body });
      expect(response).toEqual({ status: 201, body: { message: text } });
    },
  ],
  [
    "| GET /api/auth/{userId}/verify/{token} | none |",
    "visitor",
    async () => {
      const { link, email, password } = await register();
      expect((await call("GET", link.replace("/users/", "/auth/"))).status).toBe(200);
      expect((await logIn({ email, password })).token).toEqual(text);
    },
  ],
  [
    "| POST /api/password/reset-password-link | {email} | {message} |",
    "newcomer",
    async ({ me }) => {
      const response = await call("POST", "/password/reset-password-link", { body: { email: me.email } });
      expect(response).toEqual({ status: 200, body: { message: text } });
    },
  ],
  [
    "| GET /api/password/reset-password/{userId}/{token} | none |",
    "newcomer",
    async ({ me }) => {
      const link = `/password${await requestReset(me)}`;
      expect((await call("GET", link)).status).toBe(200);
      expect((await call("GET", link.replace(/.{4}$/, "aaaa"))).status).toBe(400);
    },
  ],
  [
    "| POST /api/password/reset-password/{userId}/{token} | {password} | {message} |",
    "newcomer",
    async ({ me }) => {
      const password = "nine grey herons";
      const response = await call("POST", `/password${await requestReset(me)}`, { body: { password } });
      expect(response).toEqual({ status: 200, body: { message: text } });
      expect((await logIn({ email: me.email, password })).token).toEqual(text);
    },
  ],
  [
    "| GET /api/categories | none | list |",
    "visitor",
    async () => {
      const { body } = await call("GET", "/categories");
      expect(body.map((each: any) => each.title)).toContain("Places");
    },
  ],
  [
    "| POST /api/categories (auth) | {title} | category |",
    "admin",
    async ({ me: { token } }) => {
      const title = `Called ${Date.now()}`;
      const { status, body } = await call("POST", "/categories", { token, body: { title } });
      expect(status).toBe(201);
      expect(body).toMatchObject({ _id: text, title });
      expect((await call("DELETE", `/categories/${body._id}`, { token })).status).toBe(200);
    },
  ],
  [
    "| DELETE /api/categories/{id} (auth) | none | {categoryId,message} |",
    "admin",
    async ({ me: { token } }) => {
      const { _id } = (await call("POST", "/categories", { token, body: { title: `Gone ${Date.now()}` } }))
        .body;
      const { body } = await call("DELETE", `/categories/${_id}`, { token });
      expect(body).toEqual({ categoryId: _id, message: text });
    },
  ],
  [
    "| GET /api/posts?pageNumber={n} | none | posts of a page |",
    "visitor",
    async () => {
      const all = (await call("GET", "/posts")).body;
      expect((await call("GET", "/posts?pageNumber=1")).body).toEqual(all.slice(0, 3));
      expect((await call("GET", "/posts?pageNumber=2")).body).toEqual(all.slice(3, 6));
    },
  ],
  [
    "| GET /api/posts | none | all posts |",
    "visitor",
    async () => {
      const all = (await call("GET", "/posts")).body;
      expect(all).toHaveLength((await call("GET", "/posts/count")).body);
    },
  ],
  [
    "| GET /api/posts?category={title} | none | posts of category |",
    "visitor",
    async () => {
      const all = (await call("GET", "/posts")).body;
      const { body } = await call("GET", "/posts?category=Food");
      expect(body.length).toBeGreaterThan(0);
      expect(body).toEqual(all.filter((each: any) => each.category === "Food"));
    },
  ],
  [
    "| GET /api/posts/count | none | count |",
    "author",
    async ({ me }) => {
      const before = (await call("GET", "/posts/count")).body;
      const { _id } = await writePost(me);
      expect((await call("GET", "/posts/count")).body).toBe(before + 1);
      await call("DELETE", `/posts/${_id}`, { token: me.token });
      expect((await call("GET", "/posts/count")).body).toBe(before);
    },
  ],
  [
    "| GET /api/posts/{id} | none | post |",
    "visitor",
    async ({ post: { _id, title } }) => {
      expect((await call("GET", `/posts/${_id}`)).body).toMatchObject({ _id, title });
    },
  ],
  [
    "| POST /api/posts (auth) | multipart {image,title,description,category} |",
    "author",
    async ({ me: { token } }) => {
      const fields = { title: "By a call", description: "Long enough for a post.", category: "Food" };
      const { status, body } = await call("POST", "/posts", { token, form: await pictureForm(fields) });
      expect(status).toBe(201);
      expect((await call("GET", `/posts/${body._id}`)).body).toMatchObject(fields);
      await call("DELETE", `/posts/${body._id}`, { token });
    },
  ],
  [
    "| PUT /api/posts/{id} (auth) | {title,category,description} | post |",
    "author",
    async ({ me }) => {
      const { _id } = await writePost(me);
      const body = { title: "Changed by a call", description: "Another text for it.", category: "Food" };
      const response = await call("PUT", `/posts/${_id}`, { token: me.token, body });
      expect(response).toMatchObject({ status: 200, body: { _id, ...body } });
      await call("DELETE", `/posts/${_id}`, { token: me.token });
    },
  ],
  [
    "| PUT /api/posts/update-image/{id} (auth) | multipart {image} |",
    "author",
    async ({ me, post }) => {
      const before = (await call("GET", `/posts/${post._id}`)).body.image.url;
      const form = await pictureForm();
      const response = await call("PUT", `/posts/update-image/${post._id}`, { token: me.token, form });
      expect(response.status).toBe(200);
      expect((await call("GET", `/posts/${post._id}`)).body.image.url).not.toBe(before);
    },
  ],
  [
    "| PUT /api/posts/like/{id} (auth) | empty | {likes} |",
    "other",
    async ({ me: { token, _id }, post }) => {
      const path = `/posts/like/${post._id}`;
      expect((await call("PUT", path, { token })).body.likes).toEqual([_id]);
      expect((await call("PUT", path, { token })).body.likes).toEqual([]);
    },
  ],
  [
    "| DELETE /api/posts/{id} (auth) | none | {postId,message} |",
    "author",
    async ({ me }) => {
      const { _id } = await writePost(me);
      const { body } = await call("DELETE", `/posts/${_id}`, { token: me.token });
      expect(body).toEqual({ postId: _id, message: text });
      expect((await call("GET", `/posts/${_id}`)).status).toBe(404);
    },
  ],
  [
    "| POST /api/comments (auth) | {text,postId} | comment |",
    "other",
    async ({ me, post }) => {
      const body = { text: "By a call.", postId: post._id };
      const response = await call("POST", "/comments", { token: me.token, body });
      expect(response).toMatchObject({ status: 201, body: { _id: text, ...body, user: me._id } });
      await call("DELETE", `/comments/${response.body._id}`, { token: me.token });
    },
  ],
  [
    "| PUT /api/comments/{id} (auth) | {text} | comment |",
    "author",
    async ({ me: { token }, post: { commentId } }) => {
      const body = { text: "I was there. Twice." };
      const response = await call("PUT", `/comments/${commentId}`, { token, body });
      expect(response).toMatchObject({ status: 200, body: { _id: commentId, ...body } });
    },
  ],
  [
    "| DELETE /api/comments/{id} (auth) | none |",
    "author",
    async ({ me, post }) => {
      const { _id } = await writeComment(me, post._id);
      expect((await call("DELETE", `/comments/${_id}`, { token: me.token })).status).toBe(200);
      const { comments } = (await call("GET", `/posts/${post._id}`)).body;
      expect(comments.map((each: any) => each._id)).not.toContain(_id);
    },
  ],
  [
    "| GET /api/comments (auth) | none | admin list |",
    "admin",
    async ({ me: { token }, post }) => {
      const { body } = await call("GET", "/comments", { token });
      expect(body.map((each: any) => each._id)).toContain(post.commentId);
    },
  ],
  [
    "CSRF cookie and header names are the standard defaults.",
    "visitor",
    async ({ page }) => {
      await open(page, "/");
      const status = await page.evaluate(async (base) => {
        document.cookie = "XSRF-TOKEN=anything";
        const headers = { "X-XSRF-TOKEN": "anything" };
        return (await fetch(`${base}/api/posts/count`, { headers })).status;
      }, url);
      expect(status).toBe(200);
    },
  ],
]);
