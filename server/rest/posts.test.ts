import { beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createComment, createLike, createPost } from "../testing/factories.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let noor: typeof maya;
let admin: typeof maya;
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp({ username: "Maya" });
  noor = await blog.signUp({ username: "Noor" });
  admin = await blog.signUp({ username: "Ada", isAdmin: true });
});

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const uuid = expect.stringMatching(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
const nobody = "00000000-0000-0000-0000-000000000000";
const image = {
  url: expect.stringMatching(/^http:\/\/blog\.test\/media\/.+\/picture\.jpg$/),
  publicId: uuid,
};
const variant = { url: expect.stringContaining("/media/"), width: 3, height: 2, format: "jpeg" };
const authorOf = ({ id, username }: { id: string; username: string }) => ({
  ...{ _id: id, id, username },
  profilePhoto: { url: "http://blog.test/default-photo.png", publicId: "default" },
});

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

  test("a page has three posts, newest first, and is empty after the end", async () => {
    expect(await titles("/posts?pageNumber=1")).toBe("765");
    expect(await titles("/posts?pageNumber=2")).toBe("432");
    expect(await titles("/posts?pageNumber=3")).toBe("1");
    expect(await titles("/posts?pageNumber=4")).toBe("");
    expect(await titles("/posts?pageNumber=9999999")).toBe("");
  });

  test.each(["0", "-1", "1.5", "1e3", "one", "%00", "%201"])("page '%s' is refused", async (page) => {
    const { status, body } = await blog.rest("GET", `/posts?pageNumber=${page}`);
    const message = '"pageNumber" must be a positive whole number';
    expect([status, body]).toEqual([
      400,
      { message, code: "BAD_USER_INPUT", fields: { pageNumber: message } },
    ]);
  });

  test("without a page all posts are listed, by category or not; a page overrides the category", async () => {
    expect(await titles("/posts?category=Craft")).toBe("765");
    expect(await titles("/posts?category=Places%20%26%20more")).toBe("4321");
    expect(await titles("/posts?category=Nowhere")).toBe("");
    for (const path of ["/posts?category=", "/posts?pageNumber=", "/posts?pageNumber=&category="])
      expect(await titles(path), path).toBe("7654321");
    expect(await titles("/posts?pageNumber=&category=Craft")).toBe("765");
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
    "%s lists complete posts",
    async (path) => {
      const { body, headers } = await blog.rest("GET", path);
      expect(headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(body[0]).toEqual({
        ...{ _id: uuid, id: body[0]._id, title: "7", description: "A text that is long enough to be read." },
        ...{ category: "Craft", image, user: authorOf(noor), likes: [], tags: [] },
        ...{ createdAt: dayOf(7).toISOString(), updatedAt: moment },
      });
    },
  );

  test("more than a hundred posts are complete and in order", async () => {
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
  test("has its author, its likers in order and its comments, oldest first", async () => {
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
      ...{
        image: { ...image, variants: [{ ...variant, format: "webp" }, variant] },
        user: authorOf(maya),
        likes: [admin.id, noor.id],
        tags: [],
        createdAt: moment,
        updatedAt: moment,
      },
      comments: [
        { ...comment, id: body.comments[0]._id, user: noor.id, username: "Noor", text: "first" },
        { ...comment, id: body.comments[1]._id, user: maya.id, username: "Maya", text: "second" },
      ],
    });
  });

  test("is readable also with the token of an ended session", async () => {
    const post = await createPost(blog.db, { userId: maya.id });
    expect((await blog.rest("GET", `/posts/${post.id}`, "undefined")).status).toBe(200);
    expect((await blog.rest("GET", "/posts?pageNumber=1", "stale")).status).toBe(200);
  });

  test("is 400 for a malformed id and 404 for an unknown one", async () => {
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
