import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createPost } from "../../testing/factories.ts";
import { encodeForm } from "../../testing/forms.ts";

const documents = Object.entries(
  JSON.parse(readFileSync("dist/server/persisted-documents.json", "utf8")) as Record<string, string>,
);
const hashOf = (name: string) => documents.find(([, text]) => text.includes(name))?.[0] ?? "";
const home = hashOf("query HomePage");

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp();
  await createPost(blog.db, { userId: maya.id, title: "Kept by its hash" });
});

const json = { "content-type": "application/json" };
const byHash = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });
const addressOf = (hash: string) => `/graphql?extensions=${encodeURIComponent(JSON.stringify(byHash(hash)))}`;
const get = (url: string, headers: object = {}, { app } = blog) =>
  app.inject({ url, headers: { ...json, ...headers } });
const post = (payload: object, headers: object = {}, { app } = blog) =>
  app.inject({ method: "POST", url: "/graphql", headers: { ...json, ...headers }, payload });

describe("a persisted document", () => {
  test("is executed by its hash, in each form of request", async () => {
    const responses = [
      await get(addressOf(home)),
      await get(`/graphql?documentId=sha256:${home}`),
      await post({ extensions: byHash(home) }),
      await post({ documentId: `sha256:${home}` }),
      await post({ documentId: home }),
    ];
    for (const response of responses)
      expect(response.json().data.posts.nodes[0].title).toBe("Kept by its hash");
  });

  test("selects the __typename that the client's cache needs", async () => {
    expect((await get(addressOf(home))).json().data.posts.nodes[0].__typename).toBe("Post");
  });

  test("supports GET and 304 for visitors; with a token its response is not cacheable", async () => {
    const first = await get(addressOf(home));
    expect(first.headers["cache-control"]).toBe("no-cache");
    expect(first.headers["vary"]).toContain("Authorization");
    const tag = { "if-none-match": String(first.headers.etag) };
    const notModified = await get(addressOf(home), tag);
    expect([notModified.statusCode, notModified.headers["cache-control"]]).toEqual([304, "no-cache"]);
    await createPost(blog.db, { userId: maya.id, title: "Newer" });
    expect((await get(addressOf(home), tag)).statusCode).toBe(200);
    const mine = await get(addressOf(home), { authorization: `Bearer ${maya.token}` });
    expect(mine.headers["cache-control"]).toBe("no-store");
    expect((await post({ extensions: byHash(home) })).headers["cache-control"]).toBe("no-store");
  });

  test("with a mutation is executed by POST only", async () => {
    const logout = hashOf("mutation Logout {");
    const authorization = `Bearer ${maya.token}`;
    expect((await get(addressOf(logout), { authorization })).statusCode).toBe(405);
    const { token } = await blog.signUp();
    const response = await post({ extensions: byHash(logout) }, { authorization: `Bearer ${token}` });
    expect(response.json().data.logout.message).toBe("logged out successfully");
  });

  test("is executed by GET without any header", async () => {
    const response = await blog.app.inject({ url: addressOf(home) });
    expect(response.json().data.posts.nodes).toContainEqual(
      expect.objectContaining({ title: "Kept by its hash" }),
    );
  });

  test("named by its hash accepts a file", async () => {
    const { payload, headers } = encodeForm([
      {
        name: "operations",
        value: JSON.stringify({
          variables: { image: null },
          extensions: byHash(hashOf("mutation UploadProfilePhoto")),
        }),
      },
      { name: "map", value: JSON.stringify({ 0: ["variables.image"] }) },
      { name: "0", value: Buffer.from("no picture"), filename: "a.jpg" },
    ]);
    const { token } = await blog.signUp();
    const response = await post(payload, {
      ...{ ...headers, "apollo-require-preflight": "1", authorization: `Bearer ${token}` },
    });
    expect(response.json().errors[0]).toMatchObject({
      path: ["uploadProfilePhoto"],
      extensions: { code: "UNSUPPORTED_MEDIA_TYPE" },
    });
  });
});

describe("an unknown hash", () => {
  const unknown = { extensions: byHash("0".repeat(64)) };

  test("is refused in the words on which clients send the document", async () => {
    const newer = await post(unknown, { accept: "application/graphql-response+json" });
    expect(newer.statusCode).toBe(400);
    const plain = await post(unknown, { accept: "application/json" });
    expect(plain.statusCode).toBe(200);
    for (const response of [newer, plain])
      expect(response.json()).toEqual({
        errors: [
          {
            message: "PersistedQueryNotFound",
            extensions: { code: "PERSISTED_QUERY_NOT_FOUND" },
          },
        ],
      });
  });

  test("is not registered with the document beside it, which is executed", async () => {
    const query = "{ postsCount }";
    const response = await post({ query, ...unknown });
    expect(response.json().data.postsCount).toBeGreaterThan(0);
    expect((await post(unknown)).json().errors[0].extensions.code).toBe("PERSISTED_QUERY_NOT_FOUND");
  });

  test.each([7, null, {}, "__proto__", ""])("%j is refused without an internal error", async (sha256Hash) => {
    const response = await post({ extensions: { persistedQuery: { sha256Hash } } });
    expect(response.json().errors[0].extensions.code).toMatch(/PERSISTED_QUERY_NOT_FOUND|BAD_REQUEST/);
  });
});

describe("with PERSISTED_ONLY=on", () => {
  let strict: TestApp;
  beforeAll(async () => {
    strict = await startTestApp({ persistedOnly: true });
  });

  test("only persisted documents are executed, by hash or in full", async () => {
    const [, text] = documents.find(([hash]) => hash === home) ?? [];
    expect((await get(addressOf(home), {}, strict)).json().data.posts.nodes).toEqual([]);
    expect((await post({ query: text }, {}, strict)).json().data.posts.nodes).toEqual([]);
    for (const query of ["{ postsCount }", "{ __schema { types { name } } }", "not even GraphQL"]) {
      const { data, errors } = (await post({ query }, {}, strict)).json();
      expect([data, errors[0].extensions.code]).toEqual([undefined, "PERSISTED_QUERY_NOT_FOUND"]);
    }
  });

  test("there is no explorer", async () => {
    const response = await get("/graphql", { accept: "text/html" }, strict);
    expect(response.headers["content-type"]).not.toContain("html");
  });
});
