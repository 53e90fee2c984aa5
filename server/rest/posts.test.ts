import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createCategory, createComment, createLike, createPost } from "../testing/factories.ts";
import { makePicture } from "../testing/pictures.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let noor: typeof maya;
let admin: typeof maya;
const picture = await makePicture();
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp({ username: "Maya" });
  noor = await blog.signUp({ username: "Noor" });
  admin = await blog.signUp({ username: "Ada", isAdmin: true });
  for (const title of ["Craft", "Places"]) await createCategory(blog.db, title);
});

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const uuid = expect.stringMatching(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
const nobody = "00000000-0000-0000-0000-000000000000";
const image = {
  url: expect.stringMatching(/^http:\/\/blog\.test\/media\/.+\/picture\.jpg$/),
  publicId: uuid,
};
const authorOf = ({ id, username }: { id: string; username: string }) => ({
  ...{ _id: id, id, username },
  profilePhoto: { url: "http://blog.test/default-photo.png", publicId: "default" },
});
const filesOf = ({ publicId }: { publicId: string }) => {
  const home = join(blog.mediaFolder, publicId.slice(0, 2), publicId);
  return existsSync(home) ? readdirSync(home).sort() : [];
};

const input = { title: " On slate ", description: "It splits where it was laid down.", category: "cRAFT" };
const form = (fields: object = input) => [
  { name: "image", value: picture, filename: "slate.jpg" },
  ...Object.entries(fields).map(([name, value]) => ({ name, value })),
];
const create = () => blog.restForm("POST", "/posts", maya.token, form());

describe("lists", () => {
  const dayOf = (n: number) => new Date(Date.UTC(2020, 0, n));
  beforeAll(async () => {
    for (let n = 1; n <= 7; n++)
      await createPost(blog.db, {
        ...{ title: String(n), userId: n === 7 ? noor.id : maya.id, createdAt: dayOf(n) },
        category: n > 4 ? "Craft" : "Places & more",
      });
  });
  const titles = async (path: string) => {
    const { status, body } = await blog.rest("GET", path);
    expect(status).toBe(200);
    return body.map((post: any) => post.title).join("");
  };

  test("a page holds three posts, newest first, and is empty behind the end", async () => {
    expect(await titles("/posts?pageNumber=1")).toBe("765");
    expect(await titles("/posts?pageNumber=2")).toBe("432");
    expect(await titles("/posts?pageNumber=3")).toBe("1");
    expect(await titles("/posts?pageNumber=4")).toBe("");
    expect(await titles("/posts?pageNumber=9999999")).toBe("");
  });

  test.each(["0", "-1", "1.5", "1e3", "one", "", "%00", "%201"])("page '%s' is refused", async (page) => {
    const { status, body } = await blog.rest("GET", `/posts?pageNumber=${page}`);
    const message = '"pageNumber" must be a positive whole number';
    expect([status, body]).toEqual([
      400,
      { message, code: "BAD_USER_INPUT", fields: { pageNumber: message } },
    ]);
  });

  test("all of a category, all of all, and a page wins over a category", async () => {
    expect(await titles("/posts?category=Craft")).toBe("765");
    expect(await titles("/posts?category=Places%20%26%20more")).toBe("4321");
    expect(await titles("/posts?category=Nowhere")).toBe("");
    expect(await titles("/posts?category=")).toBe("");
    expect(await titles("/posts")).toBe("7654321");
    expect(await titles("/posts?category=Craft&pageNumber=2")).toBe("432");
  });

  test("a parameter given twice is refused", async () => {
    for (const path of ["/posts?category=a&category=b", "/posts?pageNumber=1&pageNumber=2"]) {
      const { status, body } = await blog.rest("GET", path);
      expect([status, body.message]).toEqual([400, expect.stringContaining("given more than once")]);
    }
  });

  test("the count is a bare number", async () => {
    const { status, text, headers } = await blog.rest("GET", "/posts/count");
    expect([status, text]).toEqual([200, "7"]);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  });

  test.each(["/posts", "/posts?category=Craft", "/posts?pageNumber=1"])(
    "%s holds posts in full shape",
    async (path) => {
      const { body, headers } = await blog.rest("GET", path);
      expect(headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(body[0]).toEqual({
        ...{ _id: uuid, id: body[0]._id, title: "7", description: "A text that is long enough to be read." },
        ...{ category: "Craft", image, user: authorOf(noor), likes: [] },
        ...{ createdAt: dayOf(7).toISOString(), updatedAt: moment },
      });
    },
  );

  test("more than a hundred posts come whole and in order", async () => {
    const userId = (await blog.signUp()).id;
    for (let n = 0; n < 205; n++)
      await createPost(blog.db, {
        userId,
        category: "Many",
        createdAt: new Date(Date.UTC(2019, 0, 1, 0, n >> 1)),
      });
    const { body } = await blog.rest("GET", "/posts?category=Many");
    expect(new Set(body.map((post: any) => post._id)).size).toBe(205);
    expect(body.map((post: any) => post.createdAt)).toEqual(
      body
        .map((post: any) => post.createdAt)
        .sort()
        .reverse(),
    );
    await blog.db.user.delete({ where: { id: userId } });
  });
});

describe("one post", () => {
  test("comes with its author, who likes it in order, and its comments, oldest first", async () => {
    const post = await createPost(blog.db, { userId: maya.id });
    await createLike(blog.db, { postId: post.id, userId: noor.id, createdAt: new Date(2_000) });
    await createLike(blog.db, { postId: post.id, userId: admin.id, createdAt: new Date(1_000) });
    await createComment(blog.db, {
      postId: post.id,
      userId: maya.id,
      text: "second",
      createdAt: new Date(2_000),
    });
    await createComment(blog.db, {
      postId: post.id,
      userId: noor.id,
      text: "first",
      createdAt: new Date(1_000),
    });
    const { status, body } = await blog.rest("GET", `/posts/${post.id.toUpperCase()}`);
    const comment = { _id: uuid, postId: post.id, createdAt: moment, updatedAt: moment };
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ _id: post.id, id: post.id, title: post.title, description: post.description, category: "Craft" },
      ...{ image, user: authorOf(maya), likes: [admin.id, noor.id], createdAt: moment, updatedAt: moment },
      comments: [
        { ...comment, user: noor.id, username: "Noor", text: "first" },
        { ...comment, user: maya.id, username: "Maya", text: "second" },
      ],
    });
  });

  test("is a visitor's read also with a token that no longer counts", async () => {
    const post = await createPost(blog.db, { userId: maya.id });
    expect((await blog.rest("GET", `/posts/${post.id}`, "undefined")).status).toBe(200);
    expect((await blog.rest("GET", "/posts?pageNumber=1", "stale")).status).toBe(200);
  });

  test("is refused for a malformed id and not found for one of nobody", async () => {
    for (const id of ["12-34", "count%20", nobody.replaceAll("-", ""), `${nobody}0`, "null", "undefined"])
      expect(await blog.rest("GET", `/posts/${id}`)).toMatchObject({
        status: 400,
        body: { message: "invalid id" },
      });
    expect(await blog.rest("GET", `/posts/${nobody}`)).toMatchObject({
      ...{ status: 404, body: { message: "post not found", code: "NOT_FOUND" } },
    });
  });
});

describe("writing", () => {
  test("a new post is answered with the author's id, trimmed, in the category's own letters", async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(body).toEqual({
      ...{ _id: uuid, id: body._id, title: "On slate", description: input.description, category: "Craft" },
      ...{ image, user: maya.id, likes: [], createdAt: moment, updatedAt: moment },
    });
    expect(filesOf(body.image)).toEqual(["480.webp", "640.webp", "picture.jpg"]);
    const served = await blog.app.inject({ url: new URL(body.image.url).pathname });
    expect([served.statusCode, served.headers["content-type"]]).toEqual([200, "image/jpeg"]);
    expect(served.headers["cross-origin-resource-policy"]).toBe("cross-origin");
  });

  test("an edit answers the whole post and changes only what was sent", async () => {
    const { body: post } = await create();
    await createComment(blog.db, { postId: post._id, userId: noor.id });
    const { status, body } = await blog.rest("PUT", `/posts/${post._id}`, maya.token, {
      title: " Renamed ",
      category: "places",
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ ...post, title: "Renamed", category: "Places", user: authorOf(maya), updatedAt: moment },
      comments: [expect.objectContaining({ user: noor.id, username: "Noor" })],
    });
    expect(await blog.rest("GET", `/posts/${post._id}`)).toMatchObject({ body });
  });

  test.each([
    ["{}", {}],
    ["null", null],
    ["no body", undefined],
  ])("an edit may carry %s", async (_name, sent) => {
    const { body: post } = await create();
    const { status, body } = await blog.rest("PUT", `/posts/${post._id}`, maya.token, sent);
    expect(status).toBe(200);
    expect(body).toMatchObject({ title: "On slate", category: "Craft", user: authorOf(maya), comments: [] });
  });

  test("a new picture takes the old one's place, whose files go", async () => {
    const { body: post } = await create();
    await createLike(blog.db, { postId: post._id, userId: noor.id });
    const { status, body } = await blog.restForm(
      "PUT",
      `/posts/update-image/${post._id}`,
      maya.token,
      form({}),
    );
    expect(status).toBe(200);
    expect(body).toEqual({ ...post, image, likes: [noor.id], updatedAt: moment });
    expect(body.image.publicId).not.toBe(post.image.publicId);
    expect([filesOf(post.image), filesOf(body.image).length]).toEqual([[], 3]);
    expect(await blog.db.picture.count({ where: { id: post.image.publicId } })).toBe(0);
  });

  test.each(["its author", "an admin"])(
    "%s deletes a post with its comments, likes and files",
    async (who) => {
      const { body: post } = await create();
      await createComment(blog.db, { postId: post._id, userId: noor.id });
      await createLike(blog.db, { postId: post._id, userId: noor.id });
      const { token } = who === "an admin" ? admin : maya;
      const { status, body } = await blog.rest("DELETE", `/posts/${post._id}`, token);
      expect([status, body]).toEqual([
        200,
        { message: "post has been deleted successfully", postId: post._id },
      ]);
      const where = { postId: post._id };
      expect([await blog.db.comment.count({ where }), await blog.db.like.count({ where })]).toEqual([0, 0]);
      expect(await blog.db.picture.count({ where: { id: post.image.publicId } })).toBe(0);
      expect(filesOf(post.image)).toEqual([]);
      expect((await blog.rest("GET", `/posts/${post._id}`)).status).toBe(404);
      expect((await blog.rest("DELETE", `/posts/${post._id}`, token)).status).toBe(404);
    },
  );

  test("what others may not do is refused in the words clients know", async () => {
    const post = await createPost(blog.db, { userId: maya.id });
    for (const { token } of [noor, admin]) {
      const update = await blog.rest("PUT", `/posts/${post.id}`, token, { title: "Mine now" });
      expect([update.status, update.body.message]).toEqual([403, "access denied, you are not allowed"]);
      const change = await blog.restForm("PUT", `/posts/update-image/${post.id}`, token, form({}));
      expect([change.status, change.body.message]).toEqual([403, "access denied, you are not allowed"]);
    }
    const remove = await blog.rest("DELETE", `/posts/${post.id}`, noor.token);
    expect([remove.status, remove.body.message]).toEqual([403, "access denied, forbidden"]);
  });
});
