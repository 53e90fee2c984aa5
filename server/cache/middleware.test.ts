import { beforeAll, describe, expect, test, vi } from "vitest";
import { PASSWORD } from "../testing/app.ts";
import { startBlogWithPost, type BlogWithPost } from "../testing/blog-with-post.ts";
import { json, startProcess, type Process } from "../testing/processes.ts";
import { publicRequests, response, uncachedResponse } from "../testing/public-responses.ts";

let blog: BlogWithPost["blog"];
let process: Process;
let maya: BlogWithPost["maya"];
let postId: string;
beforeAll(async () => {
  ({ blog, maya, postId } = await startBlogWithPost());
  process = await startProcess(blog);
});

const query = (text: string, more = {}) => ({
  method: "POST",
  headers: json,
  body: JSON.stringify({ query: text, ...more }),
});
const titles = "{ posts { nodes { id title } } }";
const asGet = (text: string, more = "") => `/graphql?query=${encodeURIComponent(text)}${more}`;

/** Whether the second of two equal requests is served from the cache. */
async function isCached(path: string, request = {}) {
  await process.ask(path, request);
  return process.caches(path, request);
}

describe("the cache stores", () => {
  test("frequent requests of visitors, and sends them byte for byte as the application does", async () => {
    for (const request of publicRequests({ post: postId, user: maya.id, category: "Craft" })) {
      const first = await response(process, request);
      expect(await process.caches(request.path, request), request.path).toBe(true);
      expect(await response(process, request)).toEqual(first);
      expect(first).toEqual(await uncachedResponse(blog, request));
    }
  });

  test.each(["/posts?fresh", "/api/posts?pageNumber=71"])(
    "%s with every header, but a new request id",
    async (path) => {
      const [first, again] = [await process.ask(path), await process.ask(path)];
      const { date: _d, "x-request-id": one, ...plain } = first.headers;
      const { date: _e, "x-request-id": other, ...cached } = again.headers;
      expect(cached["content-security-policy"]).toMatch(/default-src '(self|none)'/);
      expect(cached["x-content-type-options"]).toBe("nosniff");
      expect(cached).toEqual({ ...plain, ...(again.text.length > 1_400 && { vary: "Accept-Encoding" }) });
      expect(one).toMatch(/^[0-9a-f-]{36}$/);
      expect(other).toMatch(/^[0-9a-f-]{36}$/);
      expect(one).not.toBe(other);
    },
  );

  test("long bodies under separate keys, too", async () => {
    const padded = (id: string) =>
      query("query ($id: ID!) { post(id: $id) { id } }", { variables: { padding: "x".repeat(18_000), id } });
    expect(await isCached("/graphql", padded(postId))).toBe(true);
    const other = await process.ask("/graphql", padded(maya.id));
    expect(JSON.parse(other.text)).toEqual({ data: { post: null } });
  });

  test("queries by GET and with variables under separate keys", async () => {
    const preflight = { headers: { "apollo-require-preflight": "true" } };
    expect(await isCached(asGet(titles), preflight)).toBe(true);
    const byId = "query ($id: ID!) { post(id: $id) { id } }";
    expect(await isCached("/graphql", query(byId, { variables: { id: postId } }))).toBe(true);
    const other = await process.ask("/graphql", query(byId, { variables: { id: maya.id } }));
    expect(JSON.parse(other.text)).toEqual({ data: { post: null } });
  });
});

test.each(["/posts?head", "/api/posts?pageNumber=72"])(
  "HEAD %s is answered from the stored response to GET, with the same headers",
  async (path) => {
    const request = { headers: { "accept-encoding": "br" } };
    const head = { ...request, method: "HEAD" };
    const { headers: uncached, status } = await process.ask(path, head);
    expect(await process.caches(path, head)).toBe(false);
    expect(await isCached(path, request)).toBe(true);
    const { headers: get } = await process.ask(path, request);
    const cached = await process.ask(path, head);
    expect(await process.caches(path, head)).toBe(true);
    // B52-4: nginx removes a body by this length.
    const proxied = { method: "HEAD", headers: { ...request.headers, "content-length": "0" } };
    expect(await process.caches(path, proxied)).toBe(true);
    expect(cached).toMatchObject({ status, text: "" });
    const { date: _d, "x-request-id": _id, ...own } = cached.headers;
    expect(get).toMatchObject(own);
    expect(own).toMatchObject({ "content-type": uncached["content-type"], etag: uncached["etag"] });
  },
);

describe("the cache does not store", () => {
  test("a sign-in: each gets a token of its own", async () => {
    const input = `{ email: "${maya.email}", password: "${PASSWORD}" }`;
    const login = query(`mutation { login(input: ${input}) { token viewer { id } } }`);
    const tokens = [await process.ask("/graphql", login), await process.ask("/graphql", login)].map(
      ({ text }) => JSON.parse(text).data.login.token,
    );
    expect(new Set(tokens).size).toBe(2);
  });

  test.each([
    ["a GraphQL error with status 200", "/graphql", query("{ postsCount users { totalCount } }")],
    ["a GraphQL error beside data", "/graphql", query(`{ post(id: "12") { id } postsCount }`)],
    ["a 404 of the API", "/api/posts/00000000-0000-4000-8000-000000000000", {}],
    ["a 404 page", "/nowhere", {}],
    ["a search over REST", "/api/nothing?search=x", {}],
    ["a search", "/graphql", query(`{ posts(search: "post") { nodes { id } } }`)],
    ["a response to HEAD", "/?head", { method: "HEAD" }],
    ["HEAD of a query", asGet(titles), { method: "HEAD" }],
    ["health", "/health", {}],
    ["a GET with a body", "/api/categories", { body: "{}", headers: json }],
    ["a request with a token", "/", { headers: { authorization: "Bearer x" } }],
    ["a request with a cookie", "/", { headers: { cookie: "a=b" } }],
    [
      "a sign-in",
      "/graphql",
      query(`mutation { login(input: { email: "a@example.com", password: "b" }) { token } }`),
    ],
    ["a document with a syntax error", "/graphql", query("{ nothing")],
  ])("%s", async (_name, path, request) => {
    expect(await isCached(path, request)).toBe(false);
  });

  test("an incomplete response during an outage", async () => {
    const name = "read posts";
    const spy = vi
      .spyOn(process.readPipeline, "query")
      .mockImplementation((() =>
        Promise.reject(Object.assign(new Error(name), { code: "ECONNREFUSED" }))) as never);
    const request = query("{ posts(first: 7) { nodes { id } } categories { id } }");
    const paths = ["/posts?outage", "/?outage", `/posts/details/${postId}?outage`];
    const broken = await process.ask("/graphql", request);
    for (const path of paths) await process.ask(path);
    spy.mockRestore();
    expect(JSON.parse(broken.text).errors).toBeDefined();
    expect(await process.caches("/graphql", request)).toBe(false);
    for (const path of paths) {
      const { status, text } = await process.ask(path);
      expect(status, path).toBe(200);
      expect(text).not.toMatch(/went wrong|try again/i);
    }
  });
});

describe("cache keys are exact:", () => {
  test("the cost is sent only if requested, by header or extension", async () => {
    const request = query("{ postsCount }");
    const withCost = { ...request, headers: { ...json, "x-graphql-cost": "1" } };
    expect((await process.ask("/graphql", withCost)).text).toContain("cost");
    expect((await process.ask("/graphql", request)).text).not.toContain("cost");
    expect((await process.ask("/graphql", withCost)).text).toContain("cost");
    const byExtension = query("{ postsCount }", { extensions: { cost: true } });
    expect((await process.ask("/graphql", byExtension)).text).toContain("cost");
    expect((await process.ask("/graphql", request)).text).not.toContain("cost");
  });

  test("a query by GET has one entry, with the header against CSRF or without", async () => {
    const path = asGet("{ postsCount }");
    expect(await isCached(path)).toBe(true);
    expect(await isCached(path, { headers: { "apollo-require-preflight": "1" } })).toBe(true);
  });

  test("URLs are compared exactly, even if they are no paths", async () => {
    const paths = [
      "/posts?page=1",
      "/posts?page=1&",
      "/posts?page=01",
      "/posts/?page=1",
      "//posts",
      "http://else.test/",
    ];
    for (const path of [...paths, ...paths]) {
      const { status, text } = await process.ask(path);
      const real = await uncachedResponse(blog, { path: path.replace(/^http:/, "http:") });
      if (!path.startsWith("http:")) expect({ status, text }, path).toEqual(real);
      expect(text).not.toContain("else.test/assets");
    }
  });

  test("a URL above the length limit is refused, one below is served", async () => {
    expect((await process.ask(`/?${"x".repeat(14_000)}`)).status).toBe(200);
    // The server closes this connection, so `process.ask` must not reuse it.
    const { status } = await fetch(`http://127.0.0.1:${process.port}/?${"x".repeat(20_000)}`);
    expect(status).toBe(431);
  });

  test("a persisted document and one in full have separate entries", async () => {
    const unknown = query("", { extensions: { persistedQuery: { version: 1, sha256Hash: "0".repeat(64) } } });
    const { query: _q, ...body } = JSON.parse(unknown.body);
    const request = { ...unknown, body: JSON.stringify(body) };
    expect(await isCached("/graphql", request)).toBe(false);
    expect((await process.ask("/graphql", request)).text).toContain("PERSISTED_QUERY_NOT_FOUND");
  });
});

describe("conditional and compressed responses:", () => {
  const brotli = { headers: { "accept-encoding": "gzip, br" } };
  const compressed = async (path: string) => {
    await process.ask(path);
    return vi.waitUntil(async () => {
      const received = await process.ask(path, brotli);
      return received.headers["content-encoding"] === "br" && received;
    });
  };

  test("Brotli has the same content in fewer bytes, with a weak ETag and Vary", async () => {
    const received = await compressed("/");
    const plain = await process.ask("/");
    expect(received.text).toBe(plain.text);
    expect(received.raw.length).toBeLessThan(plain.raw.length / 2);
    expect(received.headers["etag"]).toBe(`W/${plain.headers["etag"]}`);
    for (const { headers } of [received, plain]) expect(headers["vary"]).toContain("Accept-Encoding");
    for (const encoding of ["deflate", "br;q=0", "br; q=0.000, gzip;q=0", "brx", "xbr", "gzipped"]) {
      const { headers } = await process.ask("/", { headers: { "accept-encoding": encoding } });
      expect(headers["content-encoding"], encoding).toBeUndefined();
    }
    for (const encoding of ["br", "gzip,br;q=0.5", "BR", "br;q=1.0, *"]) {
      const { headers } = await process.ask("/", { headers: { "accept-encoding": encoding } });
      expect(headers["content-encoding"], encoding).toBe("br");
    }
  });

  test("gzip for clients without Brotli, cached or not", async () => {
    const gzip = { headers: { "accept-encoding": "gzip" } };
    const { raw, headers: plain } = await process.ask("/");
    for (const path of ["/", "/", "/?gzip", "/?gzip"]) {
      const { status, headers, raw: sent, text } = await process.ask(path, gzip);
      expect(status).toBe(200);
      expect(headers).toMatchObject({ "content-encoding": "gzip", vary: expect.stringContaining("Accept") });
      expect(sent.length).toBeLessThan(raw.length / 2);
      if (path === "/") expect(text).toBe(raw.toString());
    }
    const unchanged = await process.ask("/", {
      headers: { ...gzip.headers, "if-none-match": plain["etag"] ?? "" },
    });
    expect(unchanged.status).toBe(304);
    for (const encoding of ["br;q=0, gzip", "gzip;q=0.5, deflate", "GZIP"])
      expect(
        (await process.ask("/", { headers: { "accept-encoding": encoding } })).headers["content-encoding"],
      ).toBe("gzip");
  });

  test("the first response and those to requests with a cookie are compressed too", async () => {
    const path = "/posts?first";
    const first = await process.ask(path, brotli);
    const again = await process.ask(path, brotli);
    const withCookie = await process.ask(path, { headers: { ...brotli.headers, cookie: "a=b" } });
    for (const { headers, text } of [first, again, withCookie]) {
      expect(headers).toMatchObject({ "content-encoding": "br", etag: again.headers["etag"] });
      expect(headers["vary"]).toBe("Accept-Encoding");
      expect(text).toBe(again.text);
    }
    expect((await process.ask(path)).text).toBe(first.text);
    expect(await process.caches(path)).toBe(true);
  });

  test("authenticated responses are not compressed: their length would reveal secrets", async () => {
    const headers = { ...brotli.headers, authorization: `Bearer ${maya.token}` };
    const received = await process.ask("/posts", { headers });
    expect(received.headers["content-encoding"]).toBeUndefined();
  });

  test("304 to either ETag without a body, from the cache and from the application", async () => {
    const received = await compressed("/posts");
    for (const etag of [received.headers["etag"] ?? "", received.headers["etag"]?.slice(2) ?? ""]) {
      const request = { headers: { "if-none-match": etag } };
      const cached = await process.ask("/posts", request);
      process.changes.publish(["*"]);
      const fresh = await process.ask("/posts", request);
      for (const { status, raw, headers } of [cached, fresh]) {
        expect({ status, bytes: raw.length }).toEqual({ status: 304, bytes: 0 });
        expect(headers["etag"]).toBe(received.headers["etag"]?.slice(2));
      }
      await process.ask("/posts");
    }
    const old = await process.ask("/posts", { headers: { "if-none-match": '"old"' } });
    expect(old.status).toBe(200);
  });
});
