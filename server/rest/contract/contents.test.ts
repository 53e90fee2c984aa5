import { beforeAll, expect } from "vitest";
import {
  authorKeys,
  categoryKeys,
  commentKeys,
  unknownId,
  postKeys,
  userKeys,
} from "../../testing/contract-shapes.ts";
import { startContractTest, testContractRows } from "../../testing/contract-rows.ts";
import { createPost, createUser } from "../../testing/factories.ts";
import { makePicture } from "../../testing/pictures.ts";

// Titles are the contract's own rows, verbatim and in its order.

type Walk = Awaited<ReturnType<typeof startContractTest>>;
let walk: Walk;
let maya: Awaited<ReturnType<Walk["blog"]["signUp"]>>;
let noor: typeof maya;
let admin: typeof maya;
let post: string;
let comment: string;
const image = { name: "image", value: await makePicture(), filename: "slate.jpg" };
const fields = { title: "On slate", description: "It splits where it was laid down.", category: "Craft" };
const formOf = (values: object) => Object.entries(values).map(([name, value]) => ({ name, value }));

beforeAll(async () => {
  walk = await startContractTest();
  maya = await walk.blog.signUp({ username: "Maya" });
  noor = await walk.blog.signUp({ username: "Noor" });
  admin = await walk.blog.signUp({ username: "Ada", isAdmin: true });
});

const as = (who: { token: string }, sent: object = {}) => ({ token: who.token, ...sent });
const keysOf = (value: object) => Object.keys(value).sort().join(" ");
const sorted = (keys: string) => keys.split(" ").sort().join(" ");

async function guarded(line: string, { admin: isForAdmins = false, noun = "", sent = {} } = {}) {
  const { refused } = walk;
  const path = line.replace("{id}", noun ? "12-34" : "");
  await refused(path, sent, 401, "no token provided, access denied");
  await refused(path, { ...sent, token: "undefined" }, 401, "invalid token, access denied");
  if (isForAdmins) await refused(path, as(maya, sent), 403, "not allowed, only admin");
  if (!noun) return;
  await refused(path, as(admin, sent), 400, "invalid id");
  await refused(line.replace("{id}", unknownId), as(admin, sent), 404, `${noun} not found`);
}

testContractRows(
  {
    "POST /categories (admin) | 201 Category | title 1..100, unique without regard to case: 409":
      async () => {
        await guarded("POST /categories", { admin: true });
        const { done, refused } = walk;
        const line = "POST /categories";
        await refused(line, as(admin, { json: { title: " " } }), 400, '"title" is not allowed to be empty');
        await refused(line, as(admin, { json: { title: "x".repeat(101) } }), 400, /^"title" length/);
        await done(line, as(admin, { json: { title: " Craft " } }), 201, categoryKeys);
        await done(line, as(admin, { json: { title: "Food" } }), 201, categoryKeys);
        await refused(line, as(admin, { json: { title: "cRAFT" } }), 409, "category already exist");
      },

    "GET /categories | 200 [Category] in order of creation": async () => {
      const { body } = await walk.ask("GET /categories");
      expect(body.map((each: any) => each.title)).toEqual(["Craft", "Food"]);
      expect(body[0]).toMatchObject({ _id: expect.any(String), user: admin.id });
    },

    "POST /posts (user) multipart | 201 Post | 400 `no image provided`; title, description, category an existing title":
      async () => {
        await guarded("POST /posts", { sent: { form: [image] } });
        const { done, refused } = walk;
        const line = "POST /posts";
        const send = (values: object, files = [image]) => as(maya, { form: [...files, ...formOf(values)] });
        await refused(line, as(maya), 400, "no image provided");
        await refused(line, send(fields, []), 400, "no image provided");
        await refused(
          line,
          send({ ...fields, title: "x" }),
          400,
          '"title" length must be at least 2 characters long',
        );
        await refused(line, send({ ...fields, description: "short" }), 400, /^"description" length/);
        await refused(
          line,
          send({ ...fields, category: "Nowhere" }),
          400,
          '"category" must be an existing category',
        );
        const made = await done(line, send(fields), 201, postKeys);
        expect(made).toMatchObject({ ...fields, user: maya.id, likes: [], id: made._id });
        post = made._id;
      },

    "GET /posts?pageNumber=n | 200 [Post], three a page, newest first; past the end []; no positive whole number: 400":
      async () => {
        const { ask, done, refused, blog } = walk;
        for (let n = 0; n < 3; n++) await createPost(blog.db, { userId: noor.id, category: "Food" });
        const first = (await ask("GET /posts?pageNumber=1")).body;
        const second = (await ask("GET /posts?pageNumber=2&category=Food")).body;
        expect([first.length, second.length, second[0]._id]).toEqual([3, 1, post]);
        expect(keysOf(first[0])).toBe(sorted(postKeys));
        expect(keysOf(first[0].user)).toBe(sorted(authorKeys));
        await done("GET /posts?pageNumber=9", {}, 200, []);
        const all = (await ask("GET /posts")).body;
        for (const query of ["pageNumber=", "category=", "pageNumber=&category="])
          expect((await ask(`GET /posts?${query}`)).body, query).toEqual(all);
        for (const wrong of ["0", "-1", "1.5", "one"])
          await refused(
            `GET /posts?pageNumber=${wrong}`,
            {},
            400,
            '"pageNumber" must be a positive whole number',
          );
      },

    "GET /posts?category=title | 200 [Post] all of that title, newest first; none: []": async () => {
      const { body } = await walk.ask("GET /posts?category=Food");
      expect(body.map((each: any) => each.category)).toEqual(["Food", "Food", "Food"]);
      await walk.done("GET /posts?category=Nowhere", {}, 200, []);
    },

    "GET /posts | 200 [Post] all, newest first · GET /posts/count | 200 number": async () => {
      const { body } = await walk.ask("GET /posts");
      const times = body.map((each: any) => each.createdAt);
      expect(times).toEqual([...times].sort().reverse());
      await walk.done("GET /posts/count", {}, 200, body.length);
    },

    "GET /posts/{id} | 200 PostFull | 400 `invalid id`, 404 `post not found`; a stale token on a public read is a visitor's":
      async () => {
        const { done, refused } = walk;
        await done(`GET /posts/${post}`, { token: "undefined" }, 200, `${postKeys} comments`);
        await refused("GET /posts/12-34", {}, 400, "invalid id");
        await refused(`GET /posts/${unknownId}`, {}, 404, "post not found");
      },

    "PUT /posts/{id} (author only) | 200 PostFull | fields optional; 403 `access denied, you are not allowed`":
      async () => {
        await guarded("PUT /posts/{id}", { noun: "post" });
        const { done, refused } = walk;
        const line = `PUT /posts/${post}`;
        for (const other of [noor, admin])
          await refused(line, as(other, { json: { title: "" } }), 403, "access denied, you are not allowed");
        for (const sent of [{}, { json: {} }, { json: null }])
          await done(line, as(maya, sent), 200, `${postKeys} comments`);
        const changed = await done(
          line,
          as(maya, { json: { title: " Slate " } }),
          200,
          `${postKeys} comments`,
        );
        expect([changed.title, keysOf(changed.user)]).toEqual(["Slate", sorted(authorKeys)]);
        await refused(line, as(maya, { json: { user: noor.id } }), 400, '"user" is not allowed');
      },

    "PUT /posts/update-image/{id} (author only) multipart image | 200 Post": async () => {
      await guarded("PUT /posts/update-image/{id}", { noun: "post", sent: { form: [image] } });
      const { done, refused } = walk;
      const line = `PUT /posts/update-image/${post}`;
      await refused(line, as(admin, { form: [image] }), 403, "access denied, you are not allowed");
      await refused(line, as(maya), 400, "no image provided");
      await done(line, as(maya, { form: [image] }), 200, postKeys);
    },

    "PUT /posts/like/{id} (user) | 200 Post with likes | toggles; 404 `post not found`": async () => {
      await guarded("PUT /posts/like/{id}", { noun: "post" });
      const like = () => walk.done(`PUT /posts/like/${post}`, as(noor), 200, postKeys);
      expect([(await like()).likes, (await like()).likes]).toEqual([[noor.id], []]);
    },

    "POST /comments (user) {text, postId} | 201 Comment | text 1..2 000 after trimming; 404 `post not found`":
      async () => {
        await guarded("POST /comments");
        const { done, refused } = walk;
        const send = (json: object) => as(noor, { json: { text: "Well said.", postId: post, ...json } });
        await refused("POST /comments", send({ text: "  " }), 400, '"text" is not allowed to be empty');
        await refused("POST /comments", send({ text: "x".repeat(2_001) }), 400, /^"text" length/);
        await refused("POST /comments", send({ postId: "12-34" }), 400, "invalid id");
        await refused("POST /comments", send({ postId: unknownId }), 404, "post not found");
        const made = await done("POST /comments", send({}), 201, commentKeys);
        expect(made).toMatchObject({ postId: post, user: noor.id, username: "Noor", text: "Well said." });
        comment = made._id;
      },

    "PUT /comments/{id} (comment's author only) | 200 Comment | 403 `access denied, only user himself can edit his comment`":
      async () => {
        await guarded("PUT /comments/{id}", { noun: "comment" });
        const message = "access denied, only user himself can edit his comment";
        for (const other of [maya, admin])
          await walk.refused(`PUT /comments/${comment}`, as(other, { json: { text: "No" } }), 403, message);
        await walk.done(`PUT /comments/${comment}`, as(noor, { json: { text: "Better" } }), 200, commentKeys);
      },

    "GET /comments (admin) | 200 [Comment] with `user: User`": async () => {
      await guarded("GET /comments", { admin: true });
      const { body } = await walk.ask("GET /comments", as(admin));
      expect([keysOf(body[0]), keysOf(body[0].user)]).toEqual([sorted(commentKeys), sorted(userKeys)]);
    },

    "DELETE /comments/{id} (its author or admin; not the post's author) | 200 | 403 `access denied, not allowed`":
      async () => {
        await guarded("DELETE /comments/{id}", { noun: "comment" });
        const line = `DELETE /comments/${comment}`;
        await walk.refused(line, as(maya), 403, "access denied, not allowed");
        await walk.done(line, as(noor), 200, { message: "comment has been deleted" });
      },

    "DELETE /posts/{id} (author or admin) | 200 {message, postId} | 403 `access denied, forbidden`":
      async () => {
        await guarded("DELETE /posts/{id}", { noun: "post" });
        await walk.refused(`DELETE /posts/${post}`, as(noor), 403, "access denied, forbidden");
        const response = { message: "post has been deleted successfully", postId: post };
        await walk.done(`DELETE /posts/${post}`, as(admin), 200, response);
      },

    "DELETE /categories/{id} (admin) | 200 {message, categoryId} | 404 `category not found`; posts keep their category text":
      async () => {
        await guarded("DELETE /categories/{id}", { admin: true, noun: "category" });
        const [, { _id: categoryId }] = (await walk.ask("GET /categories")).body;
        const response = { message: "category has been deleted successfully", categoryId };
        await walk.done(`DELETE /categories/${categoryId}`, as(admin), 200, response);
        expect((await walk.ask("GET /posts?category=Food")).body).toHaveLength(3);
      },

    "GET /users/profile (admin) | 200 [User] · GET /users/count (admin) | 200 number": async () => {
      await guarded("GET /users/profile", { admin: true });
      await guarded("GET /users/count", { admin: true });
      const { body } = await walk.ask("GET /users/profile", as(admin));
      expect([keysOf(body[0]), body[0].email]).toEqual([sorted(userKeys), expect.stringContaining("@")]);
      await walk.done("GET /users/count", as(admin), 200, 3);
    },

    "GET /users/profile/{id} | 200 Profile | 404 `user not found`": async () => {
      const { body } = await walk.ask(`GET /users/profile/${noor.id}`);
      expect([keysOf(body), body.email]).toEqual([sorted(`${userKeys} posts`), null]);
      expect([keysOf(body.posts[0]), body.posts[0].user]).toEqual([sorted(postKeys), noor.id]);
      await walk.refused(`GET /users/profile/${unknownId}`, {}, 404, "user not found");
      await walk.refused("GET /users/profile/12-34", {}, 400, "invalid id");
    },

    'PUT /users/profile/{id} (owner only) {username?, bio?, password?} | 200 Profile with posts | bio absent, null, "" all fine':
      async () => {
        await guarded("PUT /users/profile/{id}", { noun: "user" });
        const line = `PUT /users/profile/${noor.id}`;
        await walk.refused(line, as(admin, { json: { bio: "Mine" } }), 403, "not allowed, only user himself");
        await walk.refused(line, as(noor, { json: { username: "MAYA" } }), 409, "username already exist");
        for (const sent of [
          {},
          { json: null },
          { json: { bio: null } },
          { json: { bio: "" } },
          { json: { password: "a new long secret" } },
        ])
          await walk.done(line, as(noor, sent), 200, `${userKeys} posts`);
      },

    "POST /users/profile/profile-photo-upload (user) multipart image | 200 {message, profilePhoto} | 400 `no file provided`":
      async () => {
        const line = "POST /users/profile/profile-photo-upload";
        await guarded(line, { sent: { form: [image] } });
        await walk.refused(line, as(maya), 400, "no file provided");
        const response = await walk.done(line, as(maya, { form: [image] }), 200, "message profilePhoto");
        expect(response.message).toBe("your profile photo uploaded successfully");
      },

    "DELETE /users/profile/{id} (owner or admin) | 200 | posts go too; the last admin cannot be deleted: 409":
      async () => {
        await guarded("DELETE /users/profile/{id}", { noun: "user" });
        const { id } = await createUser(walk.blog.db);
        const message = "your profile has been deleted";
        await walk.refused(
          `DELETE /users/profile/${id}`,
          as(maya),
          403,
          "not allowed, only user himself or admin",
        );
        await walk.refused(`DELETE /users/profile/${admin.id}`, as(admin), 409, /last admin/);
        await walk.done(`DELETE /users/profile/${id}`, as(admin), 200, { message });
        await walk.done(`DELETE /users/profile/${noor.id}`, as(noor), 200, { message });
        await walk.refused("PUT /posts/like/12-34", as(noor), 401, "invalid token, access denied");
        await walk.done("GET /posts/count", {}, 200, 0);
      },

    "Uploads: told by their content; 415 `Unsupported file format`, 413 `File too large`, 400 for an unexpected field or a second file":
      async () => {
        const line = "POST /users/profile/profile-photo-upload";
        const send = (...form: object[]) => as(maya, { form });
        const fileOf = (value: Buffer) => ({ ...image, value });
        await walk.refused(line, send(fileOf(Buffer.from("no picture"))), 415, "Unsupported file format");
        await walk.refused(line, send(fileOf(Buffer.alloc(10 * 1024 ** 2 + 1))), 413, "File too large");
        await walk.refused(line, send(image, { name: "extra", value: "1" }), 400, '"extra" is not allowed');
        await walk.refused(line, send(image, image), 400);
        for (const format of ["png", "webp", "gif", "avif"] as const)
          await walk.done(line, send(fileOf(await makePicture(format, 20, 20))), 200, "message profilePhoto");
      },
  },
  () => walk.counted(),
);
