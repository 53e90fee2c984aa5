import { beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createComment, createPost } from "../testing/factories.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let noor: typeof maya;
let admin: typeof maya;
let post: { id: string };
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp({ username: "Maya", bio: "Weaver" });
  noor = await blog.signUp({ username: "Noor" });
  admin = await blog.signUp({ username: "Ada", isAdmin: true });
  post = await createPost(blog.db, { userId: maya.id });
});

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const uuid = expect.stringMatching(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
const nobody = "00000000-0000-0000-0000-000000000000";
const create = (text: unknown, token: string | null = noor.token) =>
  blog.rest("POST", "/comments", token, { text, postId: post.id });

describe("POST /comments", () => {
  test("returns 201 with the trimmed comment, under the caller's name", async () => {
    const { status, body } = await create("  Well said. ");
    expect(status).toBe(201);
    expect(body).toEqual({
      ...{ _id: uuid, id: body._id, postId: post.id, user: noor.id, username: "Noor", text: "Well said." },
      ...{ createdAt: moment, updatedAt: moment },
    });
  });

  test("accepts an upper-case id and any printable text", async () => {
    const text = "naïve 🧵 <b>bold</b>\n'quoted' \\ % ; --";
    const { body } = await blog.rest("POST", "/comments", noor.token, {
      text,
      postId: post.id.toUpperCase(),
    });
    expect(body).toMatchObject({ text, postId: post.id });
    expect((await blog.rest("GET", `/posts/${post.id}`)).body.comments.at(-1).text).toBe(text);
  });

  test("accepts 1 to 2 000 characters", async () => {
    expect((await create("x")).status).toBe(201);
    expect((await create(` ${"x".repeat(2_000)} `)).status).toBe(201);
    const { status, body } = await create("x".repeat(2_001));
    const message = '"text" length must be less than or equal to 2000 characters long';
    expect([status, body]).toEqual([400, { message, code: "BAD_USER_INPUT", fields: { text: message } }]);
  });

  test("lists every missing or unknown field", async () => {
    const { status, body } = await blog.rest("POST", "/comments", noor.token, {
      isAdmin: true,
      user: maya.id,
    });
    expect([status, body.message]).toEqual([400, '"text" is required']);
    expect(body.fields).toEqual({
      ...{ text: '"text" is required', postId: '"postId" is required' },
      ...{ isAdmin: '"isAdmin" is not allowed', user: '"user" is not allowed' },
    });
  });

  test("refuses unknown keys beside valid ones and writes nothing", async () => {
    const count = await blog.db.comment.count();
    const sent = { text: "Yes.", postId: post.id, user: maya.id };
    const { status, body } = await blog.rest("POST", "/comments", noor.token, sent);
    expect([status, body.message]).toEqual([400, '"user" is not allowed']);
    expect(await blog.db.comment.count()).toBe(count);
  });

  test.each([
    ["a NUL", "a\0b"],
    ["half a surrogate pair", "\ud83e"],
    ["the other half", "\uddf5 first"],
  ])("refuses %s", async (_name, text) => {
    const { status, body } = await create(text);
    expect([status, body.message]).toEqual([400, '"text" contains invalid characters']);
  });

  test("returns 404 for a missing post, 400 for a malformed id, 401 without a token", async () => {
    const below = (postId: unknown, token: string | null) =>
      blog.rest("POST", "/comments", token, { text: "Yes.", postId });
    expect(await below(nobody, noor.token)).toMatchObject({
      status: 404,
      body: { message: "post not found" },
    });
    expect(await below("12-34", noor.token)).toMatchObject({
      status: 400,
      body: { message: "invalid id" },
    });
    expect(await below(nobody, null)).toMatchObject({
      ...{ status: 401, body: { message: "no token provided, access denied", code: "UNAUTHENTICATED" } },
      headers: { "www-authenticate": "Bearer" },
    });
    expect(await below(nobody, "stale")).toMatchObject({
      ...{ status: 401, body: { message: "invalid token, access denied" } },
    });
  });
});

describe("PUT /comments/{id}", () => {
  test("returns the changed comment to its author", async () => {
    const comment = await createComment(blog.db, { postId: post.id, userId: noor.id });
    const { status, body } = await blog.rest("PUT", `/comments/${comment.id}`, noor.token, {
      text: " Better. ",
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ _id: comment.id, id: comment.id, postId: post.id, user: noor.id, username: "Noor" },
      text: "Better.",
      ...{ createdAt: comment.createdAt.toISOString(), updatedAt: moment },
    });
  });

  test("checks token, id, existence, ownership and body in this order", async () => {
    const { id } = await createComment(blog.db, { postId: post.id, userId: noor.id });
    const change = async (which: string, token: string | null) => {
      const { status, body } = await blog.rest("PUT", `/comments/${which}`, token, { unknown: 1 });
      return [status, body.message];
    };
    expect(await change("12-34", null)).toEqual([401, "no token provided, access denied"]);
    expect(await change("12-34", "stale")).toEqual([401, "invalid token, access denied"]);
    expect(await change("12-34", maya.token)).toEqual([400, "invalid id"]);
    expect(await change(nobody, maya.token)).toEqual([404, "comment not found"]);
    for (const { token } of [maya, admin])
      expect(await change(id, token)).toEqual([403, "access denied, only user himself can edit his comment"]);
    expect(await change(id, noor.token)).toEqual([400, '"text" is required']);
  });

  test("requires a text: an empty body, null and no body are refused", async () => {
    const { id } = await createComment(blog.db, { postId: post.id, userId: noor.id });
    for (const sent of [{}, null, undefined])
      expect(await blog.rest("PUT", `/comments/${id}`, noor.token, sent)).toMatchObject({
        ...{ status: 400, body: { message: '"text" is required', fields: { text: '"text" is required' } } },
      });
  });
});

describe("DELETE /comments/{id}", () => {
  test.each(["its author", "an admin"])("is allowed for %s", async (who) => {
    const { id } = await createComment(blog.db, { postId: post.id, userId: noor.id });
    const { token } = who === "an admin" ? admin : noor;
    const { status, body } = await blog.rest("DELETE", `/comments/${id}`, token);
    expect([status, body]).toEqual([200, { message: "comment has been deleted" }]);
    expect(await blog.db.comment.count({ where: { id } })).toBe(0);
    expect((await blog.rest("DELETE", `/comments/${id}`, token)).status).toBe(404);
  });

  test("is forbidden to the post's author, with the same error as for others", async () => {
    const { id } = await createComment(blog.db, { postId: post.id, userId: noor.id });
    const remove = async (which: string, token: string | null) => {
      const { status, body } = await blog.rest("DELETE", `/comments/${which}`, token);
      return [status, body.message];
    };
    expect(await remove(id, maya.token)).toEqual([403, "access denied, not allowed"]);
    expect(await remove(id, null)).toEqual([401, "no token provided, access denied"]);
    expect(await remove("12-34", maya.token)).toEqual([400, "invalid id"]);
    expect(await remove(nobody, maya.token)).toEqual([404, "comment not found"]);
    expect(await blog.db.comment.count({ where: { id } })).toBe(1);
  });
});

describe("GET /comments", () => {
  test("returns every comment to admins, newest first, with its full user", async () => {
    await createComment(blog.db, { postId: post.id, userId: maya.id, createdAt: new Date("2099-01-01") });
    const { status, body } = await blog.rest("GET", "/comments", admin.token);
    expect(status).toBe(200);
    expect(body).toHaveLength(await blog.db.comment.count());
    expect(body[0]).toEqual({
      ...{ _id: uuid, id: body[0]._id, postId: post.id, username: "Maya", text: "Well said." },
      ...{ createdAt: "2099-01-01T00:00:00.000Z", updatedAt: moment },
      user: {
        ...{ _id: maya.id, id: maya.id, username: "Maya", email: "maya@example.com", bio: "Weaver" },
        ...{ isAdmin: false, isAccountVerified: true, createdAt: moment, updatedAt: moment },
        profilePhoto: { url: "http://blog.test/default-photo.png", publicId: "default" },
      },
    });
    const moments = body.map((comment: any) => comment.createdAt);
    expect(moments).toEqual([...moments].sort().reverse());
  });

  test("is for admins only", async () => {
    expect(await blog.rest("GET", "/comments", maya.token)).toMatchObject({
      ...{ status: 403, body: { message: "not allowed, only admin", code: "FORBIDDEN" } },
    });
    expect((await blog.rest("GET", "/comments")).status).toBe(401);
    expect((await blog.rest("GET", "/comments", "undefined")).status).toBe(401);
  });
});
