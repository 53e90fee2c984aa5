import { beforeAll, describe, expect, test } from "vitest";
import { MAX_CATEGORIES } from "../limits.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createPost } from "../testing/factories.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let admin: typeof maya;
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp();
  admin = await blog.signUp({ isAdmin: true });
});

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const uuid = expect.stringMatching(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
const nobody = "00000000-0000-0000-0000-000000000000";
const create = (title: unknown, token: string | null = admin.token) =>
  blog.rest("POST", "/categories", token, { title });

test("a blog without categories has an empty list", async () => {
  const { status, body } = await blog.rest("GET", "/categories");
  expect([status, body]).toEqual([200, []]);
});

describe("POST /categories", () => {
  test("returns 201 with the trimmed category, and lists are in order of creation", async () => {
    for (const title of ["  Work ", "Craft", "Árvores & 木"]) {
      const { status, body } = await create(title);
      expect(status).toBe(201);
      expect(body).toEqual({
        ...{ _id: uuid, id: body._id, title: title.trim(), user: admin.id },
        ...{ createdAt: moment, updatedAt: moment },
      });
    }
    const { body } = await blog.rest("GET", "/categories");
    expect(body.map((category: any) => category.title)).toEqual(["Work", "Craft", "Árvores & 木"]);
    expect(body[0]).toEqual({
      _id: uuid,
      id: body[0]._id,
      title: "Work",
      user: admin.id,
      createdAt: moment,
      updatedAt: moment,
    });
  });

  test("refuses a duplicate title, whatever its case and Unicode normalization", async () => {
    for (const title of ["craft", "CRAFT ", "árvores & 木", "A\u0301RVORES & 木"]) {
      const { status, body } = await create(title);
      expect([status, body]).toEqual([409, { message: "category already exist", code: "CONFLICT" }]);
    }
  });

  test("creates one of two concurrent duplicates", async () => {
    const responses = await Promise.all([create("Twice"), create("tWICE")]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await blog.db.category.count({ where: { titleKey: "twice" } })).toBe(1);
  });

  test(`creates ${MAX_CATEGORIES} at most, also by concurrent requests`, async () => {
    const { category } = blog.db;
    const numbers = Array.from({ length: MAX_CATEGORIES - 1 - (await category.count()) }, (_, n) => n);
    await category.createMany({ data: numbers.map((n) => ({ title: `Many ${n}`, titleKey: `many ${n}` })) });
    const responses = await Promise.all([create("One"), create("Two"), create("Three")]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await category.count()).toBe(MAX_CATEGORIES);
    const message = `the blog has at most ${MAX_CATEGORIES} categories, please delete some`;
    expect((await create("Four")).body).toEqual({ message, code: "CONFLICT" });
    await category.deleteMany({ where: { titleKey: { startsWith: "many " } } });
    expect((await create("Four")).status).toBe(201);
  });

  test("accepts 1 to 100 characters, no NUL, no lone surrogates and no unknown key", async () => {
    expect((await create("x".repeat(100))).status).toBe(201);
    const long = await create("y".repeat(101));
    const message = '"title" length must be less than or equal to 100 characters long';
    expect([long.status, long.body]).toEqual([
      400,
      { message, code: "BAD_USER_INPUT", fields: { title: message } },
    ]);
    for (const title of ["a\0", "\ud83e"])
      expect((await create(title)).body.message).toBe('"title" contains invalid characters');
    const unknown = await blog.rest("POST", "/categories", admin.token, { title: "Z", user: maya.id });
    expect([unknown.status, unknown.body.message]).toEqual([400, '"user" is not allowed']);
    const nothing = await blog.rest("POST", "/categories", admin.token);
    expect([nothing.status, nothing.body.message]).toEqual([400, '"title" is required']);
  });

  test("authenticates before it validates the body", async () => {
    expect(await create(5, null)).toMatchObject({
      status: 401,
      body: { message: "no token provided, access denied" },
    });
    expect(await create(5, "stale")).toMatchObject({
      status: 401,
      body: { message: "invalid token, access denied" },
    });
    expect(await create(5, maya.token)).toMatchObject({
      status: 403,
      body: { message: "not allowed, only admin" },
    });
  });
});

describe("DELETE /categories/{id}", () => {
  test("returns the id, and posts keep the category's title", async () => {
    const { body: category } = await create("Going");
    const post = await createPost(blog.db, { userId: maya.id, category: "Going" });
    const { status, body } = await blog.rest(
      "DELETE",
      `/categories/${category._id.toUpperCase()}`,
      admin.token,
    );
    expect([status, body]).toEqual([
      200,
      { message: "category has been deleted successfully", categoryId: category._id },
    ]);
    expect((await blog.rest("GET", "/posts?category=Going")).body).toMatchObject([
      { _id: post.id, category: "Going" },
    ]);
    expect((await create("going")).status).toBe(201);
  });

  test("checks token, role, id and existence in this order", async () => {
    const remove = async (id: string, token: string | null) => {
      const { status, body } = await blog.rest("DELETE", `/categories/${id}`, token);
      return [status, body.message];
    };
    expect(await remove("12-34", null)).toEqual([401, "no token provided, access denied"]);
    expect(await remove("12-34", "undefined")).toEqual([401, "invalid token, access denied"]);
    expect(await remove("12-34", maya.token)).toEqual([403, "not allowed, only admin"]);
    expect(await remove("12-34", admin.token)).toEqual([400, "invalid id"]);
    expect(await remove(nobody, admin.token)).toEqual([404, "category not found"]);
  });

  test("is not caused by the deletion of the category's creator", async () => {
    const other = await blog.signUp({ isAdmin: true });
    const { body } = await create("Orphan", other.token);
    await blog.db.user.delete({ where: { id: other.id } });
    const { body: all } = await blog.rest("GET", "/categories");
    expect(all.at(-1)).toMatchObject({ _id: body._id, title: "Orphan", user: null });
  });
});
