import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
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

describe("limit and after read a list page by page", () => {
  const walk = async (path: string, limit: number) => {
    const rows: { _id: string; title: string }[] = [];
    for (let next = `${path}limit=${limit}`; next;) {
      const { body, headers, status } = await blog.rest("GET", next, admin.token);
      expect(status).toBe(200);
      expect(body.length).toBeLessThanOrEqual(limit);
      rows.push(...body);
      const [, linked] = /<http:\/\/blog\.test\/api([^>]+)>; rel="next"/.exec(String(headers["link"])) ?? [];
      next = linked ?? "";
    }
    return rows;
  };

  test.each(["/posts?", "/posts?category=Craft&", "/comments?", "/users/profile?"])("of %s", async (path) => {
    const { body } = await blog.rest("GET", path.slice(0, -1), admin.token);
    for (const limit of [1, 3, 100]) expect(await walk(path, limit)).toEqual(body);
    // More than ten are streamed, in the same shape.
    for (let n = 0; n < 12; n++) await createPost(blog.db, { userId: maya.id, category: "Craft" });
    const { body: more } = await blog.rest("GET", path.slice(0, -1), admin.token);
    expect(await walk(path, 11)).toEqual(more);
  });

  test("and the texts of a long page are read when its stream begins", async () => {
    for (let n = 0; n < 12; n++) await createPost(blog.db, { userId: maya.id });
    const [keys, rows] = [
      vi.spyOn(blog.services.queries, "posts"),
      vi.spyOn(blog.services.queries, "postsById"),
    ];
    onTestFinished(() => [keys, rows].forEach((each) => each.mockRestore()));
    const { headers } = await blog.app.inject({ method: "HEAD", url: "/api/posts?limit=12" });
    expect(headers).toHaveProperty("x-end-cursor");
    expect([keys.mock.calls.map(([, , selection]) => selection), rows.mock.calls]).toEqual([[{}], []]);
    expect((await blog.rest("GET", "/posts?limit=12")).body).toHaveLength(12);
    expect(rows).toHaveBeenCalledOnce();
  });

  test("of changes, earliest first; the last cursor continues with what comes later", async () => {
    const all = await walk("/posts?updatedAfter=2000-01-01T00:00:00Z&", 4);
    expect(all.length).toBe(await blog.db.post.count());
    const path = "/posts?updatedAfter=2000-01-01T00:00:00Z";
    const { headers } = await blog.rest("GET", path);
    const post = await createPost(blog.db, { userId: maya.id });
    const { body } = await blog.rest("GET", `${path}&after=${String(headers["x-end-cursor"])}`);
    expect(body.map(({ _id }: { _id: string }) => _id)).toEqual([post.id]);
  });

  test("of posts with the words of a search", async () => {
    for (const title of ["Slate roofs", "A roof of slate"])
      await createPost(blog.db, { userId: maya.id, title });
    await createPost(blog.db, { userId: maya.id, title: "Slate in Food", category: "Food" });
    const titles = (rows: { title: string }[]) => rows.map(({ title }) => title);
    expect(titles(await walk("/posts?search=slate&", 1))).toEqual([
      "Slate in Food",
      "A roof of slate",
      "Slate roofs",
    ]);
    const { body, headers } = await blog.rest("GET", "/posts?search=SLATE&category=Food");
    expect(titles(body)).toEqual(["Slate in Food"]);
    expect(headers["x-total-count"]).toBe("1");
    expect((await blog.rest("GET", "/posts?search=basalt")).body).toEqual([]);
  });

  test("of deletions", async () => {
    const since = new Date(Date.now() - 1_000).toISOString();
    const gone = [];
    for (let n = 0; n < 3; n++) gone.push((await createPost(blog.db, { userId: maya.id })).id);
    for (const id of gone) await blog.rest("DELETE", `/posts/${id}`, maya.token);
    const rows = await walk(`/deletions?since=${since}&`, 2);
    expect(rows).toMatchObject(gone.map((id) => ({ _id: id, id, type: "Post" })));
  });

  test.each([
    "/posts?limit=0",
    "/posts?limit=101",
    "/posts?after=nonsense",
    "/posts?updatedAfter=yesterday",
    "/posts?updatedAfter=0000-01-01T00:00:00Z",
    "/deletions",
    "/deletions?since=2000-01-01T00:00:00Z",
  ])("%s is bad input", async (path) => {
    expect(await blog.rest("GET", path)).toMatchObject({ status: 400, body: { code: "BAD_USER_INPUT" } });
  });

  test("and not for a page by its number", async () => {
    const { body } = await blog.rest("GET", "/posts?pageNumber=1&limit=1");
    expect(body).toHaveLength(3);
  });
});

test("X-Ignored-Parameters names the query parameters that are not known", async () => {
  const named = async (path: string) => (await read(path))["x-ignored-parameters"];
  expect(await named("/posts?pageNumber=1&pagenumber=2&p%C3%A4ge=1&=x")).toBe("pagenumber, p%C3%A4ge");
  expect(await named("/posts/count?limit=1&__proto__=x")).toBe("limit, __proto__");
  expect(await named("/posts?pageNumber=1&limit=2")).toBeUndefined();
});

test("CORS exposes X-Total-Count and Link", async () => {
  const { headers } = await blog.app.inject({
    url: "/api/posts",
    headers: { origin: "https://elsewhere.test" },
  });
  const exposed = String(headers["access-control-expose-headers"]).split(/,\s*/);
  expect(exposed).toEqual(expect.arrayContaining(["ETag", "Link", "X-Total-Count", "Retry-After"]));
});
