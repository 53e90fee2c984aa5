import { beforeAll, describe, expect, test, vi } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createPost } from "../testing/factories.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let post: { id: string };
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp();
  post = await createPost(blog.db, { userId: maya.id });
});

type Sent = { method?: string; url: string; payload?: string | Buffer; headers?: Record<string, string> };
const send = ({ method = "GET", ...rest }: Sent) => blog.app.inject({ method: method as "GET", ...rest });
const json = { "content-type": "application/json" };
const bearer = () => ({ authorization: `Bearer ${maya.token}` });

async function expectMessage(response: ReturnType<typeof send>, status: number, message?: string) {
  const { statusCode, headers, body } = await response;
  expect(statusCode).toBe(status);
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  const error = JSON.parse(body) as { message: string; code: string };
  expect(error.message).toMatch(/\S/);
  expect(error.code).toMatch(/^[A-Z_]+$/);
  if (message) expect(error.message).toBe(message);
  expect(headers["access-control-allow-origin"]).toBe("*");
}

describe("an unknown path or method is refused with a message", () => {
  test.each(["/api", "/api/", "/api/nothing", "/api/auth/login/more", "/api/comments/count/x"])(
    "GET %s",
    async (url) => {
      await expectMessage(send({ url }), 404, `there is no GET ${url}`);
    },
  );

  test.each(["PATCH", "POST", "TRACE"])(
    "%s of a path with other methods is 405, and Allow has them",
    async (method) => {
      const response = send({ method, url: `/api/posts/${post.id}?token=secret` });
      await expectMessage(response, 405, `there is no ${method} /api/posts/${post.id}`);
      expect((await response).headers["allow"]).toBe("DELETE, GET, HEAD, PUT");
    },
  );

  test("also with a body and a token", async () => {
    const headers = { ...json, ...bearer() };
    await expectMessage(send({ method: "POST", url: "/api/nothing", payload: '{"a":1}', headers }), 404);
  });
});

describe("CORS headers are on", () => {
  test("successes and errors", async () => {
    for (const [url, status] of [
      ["/api/posts", 200],
      ["/api/posts/count", 200],
      ["/api/categories", 200],
      [`/api/posts/${post.id}`, 200],
      ["/api/posts/12-34", 400],
      ["/api/comments", 401],
      ["/graphql", 400],
    ] as const) {
      const { statusCode, headers } = await send({ url, headers: { origin: "https://elsewhere.test" } });
      expect([url, statusCode, headers["access-control-allow-origin"]]).toEqual([url, status, "*"]);
      expect(headers["access-control-allow-credentials"]).toBeUndefined();
    }
  });

  test.each(["/api/posts", "/api/posts/like/12", "/api/nothing", "/graphql"])(
    "the preflight of %s",
    async (url) => {
      for (const method of ["GET", "POST", "PUT", "DELETE"]) {
        const headers = { origin: "https://elsewhere.test", "access-control-request-method": method };
        const response = await send({ method: "OPTIONS", url, headers });
        expect(response.statusCode).toBe(204);
        expect(response.headers["access-control-allow-origin"]).toBe("*");
        expect(response.headers["access-control-allow-methods"]).toContain(method);
        const allowed = String(response.headers["access-control-allow-headers"]).toLowerCase();
        for (const name of ["authorization", "content-type", "x-xsrf-token", "apollo-require-preflight"])
          expect(allowed).toContain(name);
        for (const name of ["if-none-match", "x-apollo-operation-name"]) expect(allowed).toContain(name);
      }
    },
  );

  test("a response to a request with XSRF headers, which are ignored", async () => {
    const headers = { "x-xsrf-token": "abc", "xsrf-token": "abc", cookie: "XSRF-TOKEN=other" };
    expect((await send({ url: "/api/posts/count", headers })).statusCode).toBe(200);
  });
});

describe("a body", () => {
  const text = (bytes: number) => JSON.stringify({ title: "x".repeat(bytes) });
  const put = (payload: string | Buffer, headers = json) =>
    send({ method: "PUT", url: `/api/posts/${post.id}`, payload, headers: { ...headers, ...bearer() } });

  test("of more than 100 kB is 413, or of 400 kB with the text of a post", async () => {
    await expectMessage(put(text(400 * 1024)), 413, "the body is too large");
    await expectMessage(put(text(399 * 1024)), 400);
    const comment = (payload: string | Buffer) =>
      send({ method: "POST", url: "/api/comments", payload, headers: { ...json, ...bearer() } });
    await expectMessage(comment(text(100 * 1024)), 413, "the body is too large");
    await expectMessage(comment(text(99 * 1024)), 400);
  });

  test("that is not valid JSON is 400", async () => {
    for (const payload of ["{", "title=x", "{'title':1}", '{"title":"x"} trailing', "undefined"])
      await expectMessage(put(payload), 400, "the body is not valid JSON");
  });

  test("that has thousands of values is 400, and is not parsed", async () => {
    const parse = vi.spyOn(JSON, "parse");
    const keys = Array.from({ length: 9_000 }, (_, n) => `"k${n}":1`).join();
    for (const payload of [`{${keys}}`, `{"title":${"[".repeat(49_000)}`])
      await expectMessage(put(payload), 400, "the body has too many values");
    expect(parse.mock.calls.filter(([parsed]) => String(parsed).length > 10_000)).toEqual([]);
    parse.mockRestore();
    const text = { title: "A title", description: '[{"\\":1,'.repeat(4_000) };
    expect((await put(JSON.stringify(text))).statusCode).toBe(200);
  });

  test("that is JSON but not an object is 400", async () => {
    for (const payload of ["[]", '"text"', "5", "true", '[{"title":"A title"}]'])
      await expectMessage(put(payload), 400);
  });

  test("of another type is 415, unless it is empty", async () => {
    for (const type of ["application/x-www-form-urlencoded", "text/plain", "application/xml"]) {
      await expectMessage(put("title=Renamed", { "content-type": type }), 415);
      expect((await put("", { "content-type": type })).statusCode).toBe(200);
      expect((await put(" \r\n ", { "content-type": type })).statusCode).toBe(200);
    }
  });

  test("may have a charset, or be empty with the JSON content type", async () => {
    const headers = { "content-type": "application/json; charset=utf-8" };
    expect((await put('{"title":"Naïve"}', headers)).json()).toMatchObject({ title: "Naïve" });
    for (const payload of ["", " ", "null", "{}"]) expect((await put(payload)).statusCode).toBe(200);
  });

  test("with unknown keys is refused, and nothing is written", async () => {
    const sent = { title: "Taken over", isAdmin: true, userId: maya.id, likes: [maya.id] };
    const { statusCode, body } = await put(JSON.stringify(sent));
    expect([statusCode, JSON.parse(body)]).toEqual([
      400,
      {
        ...{ message: '"isAdmin" is not allowed', code: "BAD_USER_INPUT" },
        fields: Object.fromEntries(
          ["isAdmin", "userId", "likes"].map((key) => [key, `"${key}" is not allowed`]),
        ),
      },
    ]);
    expect(await blog.db.post.findUnique({ where: { id: post.id } })).not.toMatchObject({
      title: "Taken over",
    });
  });

  test("with `__proto__` changes no prototype", async () => {
    await expectMessage(put('{"__proto__":{"isAdmin":true}}'), 400);
    await expectMessage(put('{"constructor":{"prototype":{"isAdmin":true}}}'), 400);
    expect(({} as Record<string, unknown>)["isAdmin"]).toBeUndefined();
  });

  test.each([
    ["a NUL", "a\\u0000b"],
    ["half a surrogate pair", "a title \\ud83e"],
    ["a lone low surrogate", "\\uddf5 a title"],
  ])("with %s in it is 400", async (_name, title) => {
    await expectMessage(put(`{"title":"${title}"}`), 400, '"title" contains invalid characters');
  });
});

test("every response has its own request id, and no response of /api is cacheable", async () => {
  const [first, second] = [await send({ url: "/api/posts/count" }), await send({ url: "/api/comments" })];
  expect(first.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  expect(first.headers["x-request-id"]).not.toBe(second.headers["x-request-id"]);
  expect(second.headers["cache-control"]).toBe("no-store");
});

test("an internal error is one sentence and a request id, without stack or SQL statement", async () => {
  const { queries } = blog.services;
  const countPosts = () => Promise.reject(new Error('relation "Secret" at x.ts'));
  Object.assign(blog.services, { queries: { ...queries, countPosts } });
  const response = await send({ url: "/api/posts/count" });
  Object.assign(blog.services, { queries });
  expect(response.statusCode).toBe(500);
  expect(response.json()).toEqual({
    ...{ message: "something went wrong on our side, please try again", code: "INTERNAL_SERVER_ERROR" },
    requestId: response.headers["x-request-id"],
  });
});

test("an outage of the database is 503 with Retry-After", async () => {
  const { queries } = blog.services;
  const outage = Object.assign(new Error("connect 10.0.0.7"), { code: "ECONNREFUSED" });
  Object.assign(blog.services, { queries: { ...queries, categories: () => Promise.reject(outage) } });
  const response = await send({ url: "/api/categories" });
  Object.assign(blog.services, { queries });
  expect([response.statusCode, response.headers["retry-after"]]).toEqual([503, "5"]);
  expect(response.json()).toMatchObject({
    code: "UNAVAILABLE",
    message: expect.stringContaining("try again"),
  });
  expect(response.body).not.toContain("10.0.0.7");
});
