import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createComment, createPost } from "../../testing/factories.ts";
import { encodeForm } from "../../testing/forms.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let admin: typeof maya;
let post: { id: string };
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp();
  admin = await blog.signUp({ isAdmin: true });
  post = await createPost(blog.db, { userId: maya.id });
});
const parts = { queries: null as unknown };
afterEach(() => {
  if (parts.queries) Object.assign(blog.services, parts);
  parts.queries = null;
});

function breakDatabase(error: Error) {
  parts.queries = blog.services.queries;
  const countPosts = () => Promise.reject(error);
  Object.assign(blog.services, { queries: { ...blog.services.queries, countPosts } });
}

const send = (payload: object | string, headers: Record<string, string> = {}) =>
  blog.app.inject({
    method: "POST",
    url: "/graphql",
    payload,
    headers: { "content-type": "application/json", ...headers },
  });

describe("a domain error becomes one GraphQL error with its code", () => {
  const update =
    "mutation ($id: ID!, $title: String) { updatePost(id: $id, input: { title: $title }) { id } }";
  test.each([
    ["UNAUTHENTICATED", () => blog.gql("mutation { logout { message } }")],
    ["FORBIDDEN", () => blog.gql("{ comments { nodes { id } } }", {}, maya.token)],
    ["NOT_FOUND", () => blog.gql(update, { id: "00000000-0000-0000-0000-000000000000" }, maya.token)],
    ["BAD_USER_INPUT", () => blog.gql(update, { id: "12-34" }, maya.token)],
  ])("%s", async (code, response) => {
    const { status, body } = await response();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: null,
      errors: [{ message: expect.any(String), extensions: { code } }],
    });
    expect(body.errors).toHaveLength(1);
    expect(body.errors[0].path).toHaveLength(1);
    expect(body.errors[0].locations).toHaveLength(1);
  });

  test("CONFLICT", async () => {
    const create = "mutation ($title: String!) { createCategory(title: $title) { id } }";
    await blog.gql(create, { title: "Craft" }, admin.token);
    const { body } = await blog.gql(create, { title: "cRAFT" }, admin.token);
    expect(body.errors).toMatchObject([
      { message: "category already exist", extensions: { code: "CONFLICT" } },
    ]);
  });

  test("bad input lists every invalid field", async () => {
    const change = "mutation ($id: ID!, $input: PostChanges!) { updatePost(id: $id, input: $input) { id } }";
    const input = { title: "x", description: "short" };
    const { body } = await blog.gql(change, { id: post.id, input }, maya.token);
    expect(Object.keys(body.errors[0].extensions)).toEqual(["code", "fields"]);
    expect(Object.keys(body.errors[0].extensions.fields)).toEqual(["title", "description"]);
    expect(body.errors[0].message).toBe(body.errors[0].extensions.fields.title);
  });

  test("a failing field does not affect the others", async () => {
    const { body } = await blog.gql(`{ profile(id: "${maya.id}") { id } bad: post(id: "12-34") { id } }`);
    expect(body.data).toEqual({ profile: { id: maya.id }, bad: null });
    expect(body.errors).toMatchObject([{ path: ["bad"] }]);
  });
});

describe("an internal error is masked", () => {
  test("and reveals no message, stack or SQL statement", async () => {
    breakDatabase(new Error('relation "Secret" does not exist at /srv/blog/server.ts'));
    const { body, text } = await blog.gql("{ postsCount }");
    expect(body).toMatchObject({ data: null, errors: [{ extensions: { code: "INTERNAL_SERVER_ERROR" } }] });
    expect(body.errors[0].message).toBe("something went wrong on our side, please try again");
    expect(text).not.toMatch(/Secret|server\.ts|stack/);
  });

  test("and an outage of the database has a retry-after time", async () => {
    breakDatabase(Object.assign(new Error("connect 10.0.0.7:5432"), { code: "ECONNREFUSED" }));
    const { body, text } = await blog.gql("{ postsCount }");
    expect(body.errors[0].extensions).toEqual({ code: "UNAVAILABLE", retryAfter: 5 });
    expect(text).not.toContain("10.0.0.7");
  });
});

describe("an invalid document", () => {
  test.each([
    ["has a syntax error", "{ post(", "GRAPHQL_PARSE_FAILED"],
    ["selects an unknown field", "{ postz }", "GRAPHQL_VALIDATION_FAILED"],
    ["has an unknown argument", "{ posts(pages: 1) { pages } }", "GRAPHQL_VALIDATION_FAILED"],
    ["names an unknown type", "query ($i: PostImput) { postsCount }", "GRAPHQL_VALIDATION_FAILED"],
    ["has more than 2 000 tokens", `{ ${"posts ".repeat(2_001)} }`, "GRAPHQL_PARSE_FAILED"],
  ])("%s: is refused without suggestions or a stack", async (_name, query, code) => {
    const { body, text } = await blog.gql(query);
    expect(body.data).toBeUndefined();
    expect(body.errors[0].extensions).toEqual({ code });
    expect(text).not.toMatch(/Did you mean|stacktrace|node_modules/);
  });

  test("has status 400 with Accept: application/graphql-response+json", async () => {
    const refused = await send({ query: "{ postz }" }, { accept: "application/graphql-response+json" });
    expect(refused.statusCode).toBe(400);
    expect(refused.headers["content-type"]).toMatch("application/graphql-response+json");
  });

  test("is refused in a batch", async () => {
    const response = await send("[{}, {}]");
    expect(response.statusCode).toBe(400);
    expect(response.json().errors).toEqual([
      { message: expect.stringMatching(/one operation per request/), extensions: { code: "BAD_USER_INPUT" } },
    ]);
  });
});

describe("a token of an ended session", () => {
  const query = "{ viewer { id } postsCount }";

  test("is reported as ended, also in a response to a visitor's query", async () => {
    const { status, body } = await blog.gql(query, {}, "undefined");
    expect(status).toBe(200);
    expect(body).toEqual({ data: { viewer: null, postsCount: 1 }, extensions: { session: "ended" } });
  });

  test("results from a logout", async () => {
    const { token } = await blog.signUp();
    expect((await blog.gql("mutation { logout { message } }", {}, token)).body).toEqual({
      data: { logout: { message: "logged out successfully" } },
    });
    expect((await blog.gql(query, {}, token)).body.extensions).toEqual({ session: "ended" });
    const { body } = await blog.gql("mutation { logout { message } }", {}, token);
    expect(body.errors[0].message).toBe("invalid token, access denied");
    expect(body.extensions).toEqual({ session: "ended" });
  });

  test("results from the deletion of its account", async () => {
    const gone = await blog.signUp();
    await blog.db.user.delete({ where: { id: gone.id } });
    expect((await blog.gql(query, {}, gone.token)).body.extensions).toEqual({ session: "ended" });
  });

  test("is not reported to visitors or for valid tokens", async () => {
    expect((await blog.gql(query)).body.extensions).toBeUndefined();
    const { body } = await blog.gql(query, {}, maya.token);
    expect(body).toEqual({ data: { viewer: { id: maya.id }, postsCount: 1 } });
  });
});

describe("a request that a page of another site can send", () => {
  const blocked = /CSRF.*apollo-require-preflight/s;

  test("may be a query by GET, which changes nothing and has the response of a visitor", async () => {
    const url = "/graphql?query={postsCount viewer{id}}";
    expect((await blog.app.inject({ url })).json()).toEqual({ data: { postsCount: 1, viewer: null } });
  });

  test("is refused as plain text", async () => {
    const response = await send("{}", { "content-type": "text/plain" });
    expect([response.statusCode, response.json().errors[0].message]).toEqual([
      400,
      expect.stringMatching(blocked),
    ]);
  });

  test("is refused as an upload without the header, and changes nothing", async () => {
    const comment = await createComment(blog.db, { postId: post.id, userId: maya.id });
    const query = `mutation { deleteComment(id: "${comment.id}") { id } }`;
    const { payload, headers } = encodeForm([
      { name: "operations", value: JSON.stringify({ query }) },
      { name: "map", value: "{}" },
    ]);
    const response = await send(payload, { ...headers, authorization: `Bearer ${maya.token}` });
    expect(response.statusCode).toBe(400);
    expect(response.json().errors[0].message).toMatch(blocked);
    expect(await blog.db.comment.count({ where: { id: comment.id } })).toBe(1);
  });

  test("may not change anything by GET, with the header or without", async () => {
    for (const more of [{}, { "apollo-require-preflight": "1" }]) {
      const headers = { ...more, authorization: `Bearer ${maya.token}` };
      const response = await blog.app.inject({ url: "/graphql?query=mutation{logout{message}}", headers });
      expect(response.statusCode).toBe(405);
    }
    expect((await blog.gql("{ viewer { id } }", {}, maya.token)).body.data.viewer).toEqual({ id: maya.id });
  });
});

test("what graphql-js refuses without a code is the client's error", async () => {
  const ids = Array.from({ length: 60 }, () => null);
  for (const { body } of [
    await blog.gql("query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", { ids }),
    await blog.gql("subscription { a }"),
  ]) {
    const codes = body.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code);
    expect(new Set(codes)).toEqual(new Set(["BAD_USER_INPUT"]));
  }
});
