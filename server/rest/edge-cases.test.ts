import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { parseInput, text } from "../domain/input.ts";
import { encodePicture } from "../media/encode.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createCategory, createComment, createPost } from "../testing/factories.ts";
import { encodeForm } from "../testing/forms.ts";
import { makePicture } from "../testing/pictures.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
const picture = await makePicture();
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp();
  await createCategory(blog.db, "Craft");
});

const json = { "content-type": "application/json" };
const bearer = () => ({ authorization: `Bearer ${maya.token}` });
const raw = (method: string, url: string, payload?: string | Buffer, headers: Record<string, string> = {}) =>
  blog.app.inject({ method: method as "GET", url, payload, headers });
const file = { name: "image", value: picture, filename: "a.jpg" };
const fields = (over: object = {}) =>
  Object.entries({ title: "A title", description: "A long description", category: "Craft", ...over }).map(
    ([name, value]) => ({ name, value: String(value) }),
  );

describe("validation messages", () => {
  const schema = z.strictObject({ title: text(2, 5) });
  const messageOf = (value: unknown) => {
    try {
      parseInput(schema, value);
    } catch (error) {
      return (error as Error).message;
    }
    return "taken";
  };
  test("an empty or blank text", () => {
    expect(messageOf({ title: "" })).toBe('"title" is not allowed to be empty');
    expect(messageOf({ title: "  " })).toBe('"title" is not allowed to be empty');
  });
  test("a wrong type", () => {
    expect(messageOf({ title: 5 })).toBe('"title" must be a string');
    expect(messageOf({ title: null })).toBe('"title" must be a string');
    expect(messageOf([])).toBe('"value" must be an object');
  });
  test("inherited keys of objects", () => {
    expect(messageOf(JSON.parse('{"title":"ab","__proto__":1}'))).toBe('"__proto__" is not allowed');
    expect(messageOf(JSON.parse('{"title":"ab","constructor":1}'))).toBe('"constructor" is not allowed');
    expect(messageOf(JSON.parse('{"title":"ab","toString":1}'))).toBe('"toString" is not allowed');
  });
});

describe("order of checks: token before body", () => {
  test.each([
    ["invalid JSON", "{", json, 401],
    ["a wrong type", "a=b", { "content-type": "application/x-www-form-urlencoded" }, 401],
    ["too large", `"${"x".repeat(200_000)}"`, json, 401],
  ] as const)("a visitor's %s", async (_name, payload, headers, status) => {
    expect((await raw("POST", "/api/comments", payload, { ...headers })).statusCode).toBe(status);
  });
  test("an invalid body for another user's post is 403", async () => {
    const noor = await blog.signUp();
    const post = await createPost(blog.db, { userId: maya.id });
    const headers = { ...json, authorization: `Bearer ${noor.token}` };
    expect((await raw("PUT", `/api/posts/${post.id}`, "{", headers)).statusCode).toBe(403);
  });
  test.each(["likePost", "unlikePost"])("a visitor's %s of a malformed id", async (name) => {
    const { body } = await blog.gql(`mutation { ${name}(id: "12-34") { id } }`);
    expect(body.errors[0]).toMatchObject({
      ...{ message: "no token provided, access denied", extensions: { code: "UNAUTHENTICATED" } },
    });
  });
});

describe("NUL, surrogates and blanks in the category filter", () => {
  test("REST", async () => {
    expect(await blog.rest("GET", "/posts?category=%00")).toMatchObject({ status: 400 });
  });
  test.each(["a\0b", "\ud83e"])("GraphQL", async (category) => {
    const { body } = await blog.gql("query ($c: String) { posts(category: $c) { pages } }", { c: category });
    expect(body.errors?.[0]?.extensions.code).toBe("BAD_USER_INPUT");
  });
  test("the filter is trimmed", async () => {
    await createPost(blog.db, { userId: maya.id, category: "Craft" });
    expect((await blog.rest("GET", "/posts?category=%20Craft%20")).body.length).toBeGreaterThan(0);
  });
});

describe("uploads", () => {
  test("a long text of multi-byte characters is not truncated", async () => {
    const description = "語".repeat(45_000);
    const { status, body } = await blog.restForm("POST", "/posts", maya.token, [
      file,
      ...fields({ description }),
    ]);
    expect([status, body.description?.length]).toEqual([201, 45_000]);
  });
  test.each([
    ["no parts", "garbage", "multipart/form-data; boundary=xx"],
    ["no boundary", "garbage", "multipart/form-data"],
    [
      "a missing end",
      '--xx\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\nabc',
      "multipart/form-data; boundary=xx",
    ],
  ])("a form with %s is 400", async (_name, payload, type) => {
    const response = await raw("POST", "/api/posts", payload, { ...bearer(), "content-type": type });
    expect([response.statusCode, response.json().code]).toEqual([400, "BAD_USER_INPUT"]);
  });
  test("unknown fields beside a picture are refused", async () => {
    const post = await createPost(blog.db, { userId: maya.id });
    const form = [file, { name: "title", value: "Renamed" }];
    const { status, body } = await blog.restForm("PUT", `/posts/update-image/${post.id}`, maya.token, form);
    expect([status, body.message]).toEqual([400, '"title" is not allowed']);
  });
  test("a form is refused where JSON is required", async () => {
    const post = await createPost(blog.db, { userId: maya.id });
    const form = [{ name: "title", value: "Renamed" }];
    const { status } = await blog.restForm("PUT", `/posts/${post.id}`, maya.token, form);
    expect(status).toBe(415);
  });
  test("an empty file in GraphQL is no image", async () => {
    const post = await createPost(blog.db, { userId: maya.id });
    const query = "mutation ($id: ID!, $image: Upload!) { updatePostImage(id: $id, image: $image) { id } }";
    const variables = { id: post.id, image: null };
    const { body } = await blog.gqlUpload(
      { query, variables, file: Buffer.alloc(0), path: "variables.image" },
      maya.token,
    );
    expect(body.errors[0]).toMatchObject({
      message: "no image provided",
      extensions: { code: "BAD_USER_INPUT" },
    });
  });
  test("an empty buffer is no picture", async () => {
    await expect(encodePicture(Buffer.alloc(0))).rejects.toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE" });
  });
  test("a tall picture within the limits is accepted", async () => {
    expect(await encodePicture(await makePicture("jpeg", 500, 17_000))).toMatchObject({
      width: 500,
      height: 17_000,
    });
  });
});

describe("concurrent requests", () => {
  test("edits during a deletion are 404, never 500", async () => {
    const faults = new Set<string>();
    for (let time = 0; time < 20; time++) {
      const post = await createPost(blog.db, { userId: maya.id });
      const comment = await createComment(blog.db, { postId: post.id, userId: maya.id });
      const responses = await Promise.all([
        blog.restForm("PUT", `/posts/update-image/${post.id}`, maya.token, [file]),
        blog.rest("PUT", `/posts/${post.id}`, maya.token, { title: "Renamed" }),
        blog.rest("PUT", `/comments/${comment.id}`, maya.token, { text: "Renamed" }),
        blog.rest("DELETE", `/comments/${comment.id}`, maya.token),
        blog.rest("DELETE", `/posts/${post.id}`, maya.token),
      ]);
      for (const [index, { status }] of responses.entries())
        if (status >= 500) faults.add(`${index}: ${status}`);
    }
    expect([...faults]).toEqual([]);
  });
});

describe("URLs", () => {
  test.each(["/api/posts/%E0%A4%A", `/api/posts/${"a".repeat(3_000)}`])(
    "%.30s gets an ordinary error response",
    async (url) => {
      const { statusCode, headers, body } = await raw("GET", url);
      expect(statusCode).toBeGreaterThanOrEqual(400);
      expect(headers["access-control-allow-origin"]).toBe("*");
      expect(JSON.parse(body).code).toMatch(/^(BAD_USER_INPUT|NOT_FOUND|METHOD_NOT_ALLOWED)$/);
      expect(body.length).toBeLessThan(500);
    },
  );
  test("a page far after the end is empty", async () => {
    for (const page of ["10000000", "99999999999999999999"])
      expect(await blog.rest("GET", `/posts?pageNumber=${page}`)).toMatchObject({ status: 200, body: [] });
  });
});

describe("GraphQL", () => {
  test("errors of variables contain no suggestions", async () => {
    const query = "mutation ($input: PostChanges!) { updatePost(id: 1, input: $input) { id } }";
    const { text: response } = await blog.gql(query, { input: { titel: "x" } }, maya.token);
    expect(response).not.toContain("Did you mean");
  });
  test("a masked internal error has a request id", async () => {
    const { queries } = blog.services;
    const countPosts = () => Promise.reject(new Error("x"));
    Object.assign(blog.services, { queries: { ...queries, countPosts } });
    const { body, headers } = await blog.gql("{ postsCount }");
    Object.assign(blog.services, { queries });
    expect(body.errors[0].extensions.requestId).toBe(headers["x-request-id"]);
  });
  test("an invalid document is 200 with Accept: application/json", async () => {
    const response = await raw("POST", "/graphql", '{"query":"{ postz }"}', {
      ...json,
      accept: "application/json",
    });
    expect([response.statusCode, response.json().data]).toEqual([200, undefined]);
  });
  test("nested counts are batched", async () => {
    const statements: string[] = [];
    for (let n = 0; n < 20; n++) await createPost(blog.db, { userId: maya.id });
    const query = blog.pool.query.bind(blog.pool);
    blog.pool.query = ((...words: unknown[]) => {
      statements.push(JSON.stringify(words[0]));
      return (query as (...all: unknown[]) => unknown)(...words);
    }) as typeof blog.pool.query;
    await blog.gql("{ posts(first: 20) { nodes { comments { totalCount } } } }");
    expect(statements.length).toBeLessThan(10);
  });
});

test.each([12, 40])(
  "a refused GraphQL upload of %i MiB closes its connection, so that the server can stop",
  async (size) => {
    const other = await startTestApp();
    const address = await other.app.listen({ port: 0, host: "127.0.0.1" });
    const query =
      'mutation ($i: Upload!) { updatePostImage(id: "00000000-0000-0000-0000-000000000000", image: $i) { id } }';
    const { payload, headers } = encodeForm([
      { name: "operations", value: JSON.stringify({ query, variables: { i: null } }) },
      { name: "map", value: '{"0":["variables.i"]}' },
      { name: "0", value: Buffer.alloc(size * 1024 * 1024), filename: "a.jpg" },
    ]);
    const init = {
      method: "POST",
      body: new Uint8Array(payload),
      headers: { ...headers, "apollo-require-preflight": "1" },
    };
    const response = await fetch(`${address}/graphql`, init);
    expect(await response.text()).toContain("UNAUTHENTICATED");
    const closed = other.app.close().then(() => "closed");
    const late = new Promise((done) => setTimeout(() => done("still open"), 3_000));
    const verdict = await Promise.race([closed, late]);
    other.app.server.closeAllConnections();
    expect(verdict).toBe("closed");
  },
  30_000,
);
