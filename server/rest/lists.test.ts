import { beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createCategory, createComment, createPost } from "../testing/factories.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let admin: typeof maya;
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp();
  admin = await blog.signUp({ isAdmin: true });
  await createCategory(blog.db, "Craft");
  for (let n = 0; n < 7; n++)
    await createPost(blog.db, { userId: maya.id, category: n < 4 ? "Craft" : "Food" });
  const post = await createPost(blog.db, { userId: maya.id });
  for (let n = 0; n < 2; n++) await createComment(blog.db, { postId: post.id, userId: maya.id });
});

const read = async (path: string, token: string | null = null) =>
  (await blog.rest("GET", path, token)).headers;

describe("X-Total-Count has the number of all rows", () => {
  test.each([
    ["/posts", 8],
    ["/posts?pageNumber=1", 8],
    ["/posts?pageNumber=9", 8],
    ["/posts?category=Craft", 5],
    ["/posts?category=%20Food%20", 3],
    ["/posts?category=Nowhere", 0],
    ["/categories", 1],
    ["/comments", 2],
    ["/users/profile", 2],
  ])("of %s", async (path, total) => {
    const { status, headers } = await blog.rest("GET", path, admin.token);
    const { "x-total-count": count, link } = headers;
    expect(status).toBe(200);
    expect(String(count)).toBe(String(total));
    expect(link === undefined).toBe(!path.includes("pageNumber"));
  });

  test("and is missing where the list is forbidden", async () => {
    for (const path of ["/comments", "/users/profile"])
      for (const token of [null, maya.token])
        expect(await read(path, token)).not.toHaveProperty("x-total-count");
  });
});

describe("a page of posts links to the others in Link", () => {
  const links = async (page: number) => {
    const { link } = await read(`/posts?pageNumber=${page}`);
    const found = String(link).matchAll(/<http:\/\/blog\.test\/api\/posts\?pageNumber=(\d+)>; rel="(\w+)"/g);
    return Object.fromEntries([...found].map(([, number, rel]) => [rel, Number(number)]));
  };

  test("on the first, a middle and the last page", async () => {
    expect(await links(1)).toEqual({ first: 1, next: 2, last: 3 });
    expect(await links(2)).toEqual({ first: 1, prev: 1, next: 3, last: 3 });
    expect(await links(3)).toEqual({ first: 1, prev: 2, last: 3 });
  });

  test("after the end, prev is the last page", async () => {
    expect(await links(50)).toEqual({ first: 1, prev: 3, last: 3 });
  });

  test("a blog without posts has one empty page", async () => {
    const empty = await startTestApp();
    const { body, headers } = await empty.rest("GET", "/posts?pageNumber=1");
    const page = "<http://blog.test/api/posts?pageNumber=1>";
    expect([body, String(headers["x-total-count"])]).toEqual([[], "0"]);
    expect(headers["link"]).toBe(`${page}; rel="first", ${page}; rel="last"`);
  });
});

test("CORS exposes X-Total-Count and Link", async () => {
  const { headers } = await blog.app.inject({
    url: "/api/posts",
    headers: { origin: "https://elsewhere.test" },
  });
  const exposed = String(headers["access-control-expose-headers"]).split(/,\s*/);
  expect(exposed).toEqual(expect.arrayContaining(["ETag", "Link", "X-Total-Count", "Retry-After"]));
});
