import { beforeAll, describe, expect, test, vi } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createPost } from "../../testing/factories.ts";
import { startProcess, type Process } from "../../testing/processes.ts";
import { serveCompiledOperations } from "./middleware.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
// With a local public URL, /metrics is open to this machine.
const publicUrl = "http://localhost";
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp({ username: "Maya" });
  const description = "A text that is long enough to be worth compressing. ".repeat(40);
  await createPost(blog.db, { userId: maya.id, description });
});

async function countRequests(process: Process): Promise<number> {
  const { text } = await process.ask("/metrics");
  const name = 'http_request_duration_seconds_count{method="POST",route="/graphql",status="2xx"} ';
  return Number(text.split(name)[1]?.split("\n")[0] ?? 0);
}

const shapeOf = (entry: object = {}) => Object.keys(entry).sort();

describe("a compiled operation is", () => {
  test("logged and counted like one that Apollo executes", async () => {
    const process = await startProcess(blog, { responseCache: null, publicUrl });
    const query = "{ posts { nodes { id } } }";
    const [first, again] = [await process.gql(query), await process.gql(query)];
    const [unknown, compiled] = process.lines.slice(-2);
    expect(shapeOf(compiled)).toEqual(shapeOf(unknown));
    expect(compiled).toMatchObject({
      ...{ method: "POST", route: "/graphql", status: 200 },
      reqId: again.headers["x-request-id"],
    });
    expect(first.headers["x-request-id"]).not.toBe(again.headers["x-request-id"]);
    expect(await countRequests(process)).toBe(2);
  });

  test("compressed by Accept-Encoding, but not for a request with a token", async () => {
    const process = await startProcess(blog, { responseCache: null, publicUrl });
    const query = "{ posts { nodes { description } } }";
    const brotli = { "accept-encoding": "br" };
    const headersOf = async (more = {}) => {
      const { headers, text } = await process.gql(query, { ...brotli, ...more });
      expect(JSON.parse(text).data.posts.nodes).toHaveLength(1);
      const { "content-encoding": encoding, vary, etag } = headers;
      return { encoding, vary, etag };
    };
    const unknown = await headersOf();
    expect(unknown).toMatchObject({ encoding: "br", vary: "Authorization, Accept, Accept-Encoding" });
    expect(await headersOf()).toEqual(unknown);
    const own = await headersOf({ authorization: `Bearer ${maya.token}` });
    expect(own).toEqual({ encoding: undefined, vary: "Authorization, Accept", etag: undefined });
  });

  test("A1: counted as running until its response is compressed", async () => {
    const under = { now: 0, most: 0 };
    const text = JSON.stringify({ data: "x".repeat(200_000) });
    const found: string[] = [];
    const step = serveCompiledOperations({
      headers: {},
      find: () => async () => ({ mediaType: "application/json", text }),
      acquire: () => (++under.now, () => void under.now--),
      logRequest: () => undefined,
      isDraining: () => false,
    });
    const request = { headers: { "accept-encoding": "br" } };
    const response = { writeHead: () => undefined, end: () => void found.push(`sent with ${under.now}`) };
    step(() => undefined)({ request, response, text: "{}", begun: null, fail: expect.unreachable } as never);
    await expect.poll(() => found).toEqual(["sent with 1"]);
    await expect.poll(() => under.now).toBe(0);
  });

  test("stored in the response cache, and compressed there", async () => {
    const process = await startProcess(blog, { publicUrl });
    const query = "{ posts { nodes { id description } } }";
    await process.gql(query, { accept: "*/*" });
    const compiled = await process.gql(query);
    const { hits } = process.responseCache.size();
    const cached = await process.gql(query);
    expect(process.responseCache.size().hits).toBe(hits + 1);
    expect(cached.text).toBe(compiled.text);
    await vi.waitUntil(
      async () =>
        (await process.gql(query, { "accept-encoding": "br" })).headers["content-encoding"] === "br",
    );
  });

  test("left to the application while draining, and with CORS_ORIGINS", async () => {
    let isDraining = false;
    const process = await startProcess(blog, {
      isDraining: () => isDraining,
      corsOrigins: ["https://friend.test"],
    });
    for (let n = 0; n < 3; n++) {
      const { headers } = await process.gql("{ postsCount }", { origin: "https://friend.test" });
      expect(headers["access-control-allow-origin"]).toBe("https://friend.test");
    }
    isDraining = true;
    expect((await process.gql("{ postsCount }")).headers["connection"]).toBe("close");
  });
});

test("an outage of the database costs one failed query, and the next request recovers", async () => {
  const process = await startProcess(blog, { responseCache: null, publicUrl });
  const query = "{ posts { nodes { id } } }";
  for (let n = 0; n < 2; n++) expect((await process.gql(query)).status).toBe(200);
  const away = () => Promise.reject(Object.assign(new Error("connect"), { code: "ECONNREFUSED" }));
  const spy = vi.spyOn(process.readPipeline, "query").mockImplementation(away);
  const asVisitor = await process.gql(query);
  expect(JSON.parse(asVisitor.text).errors[0].extensions.code).toBe("UNAVAILABLE");
  expect(spy).toHaveBeenCalledTimes(1);
  // The lookup of the session fails, too; the response is the application's.
  const asMaya = await process.gql(query, { authorization: `Bearer ${maya.token}` });
  expect(asMaya).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
  expect(spy).toHaveBeenCalledTimes(2);
  spy.mockRestore();
  expect((await process.gql(query)).status).toBe(200);
});
