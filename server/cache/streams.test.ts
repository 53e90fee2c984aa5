import { ServerResponse, type IncomingMessage } from "node:http";
import { setTimeout } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { CacheTag } from "../domain/ports.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createLike, createPost } from "../testing/factories.ts";
import { startProcess, type Process } from "../testing/processes.ts";
import { recordResponse, type RecordedResponse } from "./record-response.ts";

const POSTS = 230;

let blog: TestApp;
let process: Process;
let small: Process;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let postId: string;
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp({ username: "Maya" });
  postId = (await createPost(blog.db, { userId: maya.id, title: "The first" })).id;
  await blog.pool.query(
    `WITH one AS (SELECT gen_random_uuid() AS id, n FROM generate_series(2, $1::int) AS n), pictures AS (
       INSERT INTO "Picture" (id, width, height, widths, placeholder) SELECT id, 3, 2, '{3}', '' FROM one)
     INSERT INTO "Post" (id, title, description, category, "userId", "imageId", "createdAt", "updatedAt")
       SELECT id, 'Post ' || n, 'Read on, please.', 'Craft', $2, id, now(), now() FROM one`,
    [POSTS, maya.id],
  );
  process = await startProcess(blog);
  small = await startProcess(blog, { bytes: 40_000 });
});

const gzip = { headers: { "accept-encoding": "gzip, deflate, br" } };
const knowing = (etag = "", headers = {}) => ({ headers: { ...headers, "if-none-match": etag } });
const lists = ["/api/posts", "/api/posts?category=Craft", "/api/posts?variants=true", "/api/posts?limit=50"];
const uncached = async (url: string) => (await blog.app.inject({ url })).body;

beforeEach(async () => {
  vi.restoreAllMocks();
  // On a busy machine the connection may be lost for a moment.
  await vi.waitUntil(process.changes.isListening, { timeout: 5_000 });
  process.changes.publish(["*"]);
});

describe("a streamed list", () => {
  test.each(lists)("%s is compressed, and sent again from the cache byte for byte", async (path) => {
    const first = await process.ask(path, gzip);
    expect(first.headers).toMatchObject({
      "content-encoding": "gzip",
      "cache-control": "no-cache",
      etag: expect.stringMatching(/^W\/"[0-9a-f-]{36}"$/),
      vary: expect.stringContaining("Accept-Encoding"),
    });
    expect(first.text).toBe(await uncached(path));
    expect(first.raw.length).toBeLessThan(first.text.length / 4);
    expect(await process.caches(path, gzip)).toBe(true);
    const again = await process.ask(path, gzip);
    expect(again.raw.equals(first.raw)).toBe(true);
    const { date: _d, "x-request-id": _id, "transfer-encoding": _t, ...own } = first.headers;
    expect(again.headers).toMatchObject({ ...own, "content-length": `${first.raw.length}` });
    expect(process.lines.at(-1)).toMatchObject({ route: "/api/posts", cached: true });
  });

  test.each([gzip, { headers: {} }])(
    "is 304 to its ETag until something in it changes, if read with %j",
    async (request) => {
      const { headers } = await process.ask("/api/posts", request);
      const conditional = knowing(headers["etag"], request.headers);
      expect(await process.caches("/api/posts", conditional)).toBe(true);
      const unchanged = await process.ask("/api/posts", conditional);
      expect([unchanged.status, unchanged.raw.length]).toEqual([304, 0]);
      expect(unchanged.headers).toMatchObject({ etag: headers["etag"], "x-total-count": `${POSTS}` });
      expect((await process.ask("/api/posts?category=Craft", conditional)).status).toBe(200);
      await createLike(blog.db, { postId, userId: maya.id });
      await vi.waitUntil(async () => (await process.ask("/api/posts", conditional)).status === 200);
      const { text } = await process.ask("/api/posts", conditional);
      expect(JSON.parse(text).at(-1).likes).toEqual([maya.id]);
      await blog.pool.query(`DELETE FROM "Like"`);
      // Its notification would invalidate what the next test stores.
      await vi.waitUntil(async () => !(await process.ask("/api/posts")).text.includes(`"likes":["`));
    },
  );

  test("has an ETag that says nothing of other changes, such as the creation of an account", async () => {
    const etagOf = async (n: number) => (await process.ask(`/api/posts?x=${n}`)).headers["etag"] ?? "";
    const [one, other] = [await etagOf(1), await etagOf(2)];
    for (const etag of [one, other]) expect(etag).toMatch(/^W\/"[0-9a-f-]{36}"$/);
    expect(one.slice(0, 11)).not.toBe(other.slice(0, 11));
  });

  test("has an ETag of each process, and of each start", async () => {
    const other = await startProcess(blog);
    const [one, another] = [await process.ask("/api/posts"), await other.ask("/api/posts")];
    expect(one.text).toBe(another.text);
    expect(one.headers["etag"]).not.toBe(another.headers["etag"]);
    expect((await other.ask("/api/posts", knowing(one.headers["etag"]))).status).toBe(200);
  });

  test("keeps its gzipped form when a client without gzip reads it, with the same ETag", async () => {
    const first = await process.ask("/api/posts", gzip);
    const plain = await process.ask("/api/posts");
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.text).toBe(first.text);
    expect(plain.headers["etag"]).toBe(first.headers["etag"]);
    expect(await process.caches("/api/posts", gzip)).toBe(true);
  });

  test("that takes more than an eighth of the cache is not stored, but is recognized by its ETag", async () => {
    const { headers } = await small.ask("/api/posts", gzip);
    expect(await small.caches("/api/posts", gzip)).toBe(false);
    const conditional = knowing(headers["etag"], gzip.headers);
    expect((await small.ask("/api/posts", conditional)).status).toBe(304);
    expect(small.responseCache.size().bytes).toBeLessThan(5_000);
  });

  test("is not compressed for an account: its length would reveal secrets", async () => {
    const headers = { ...gzip.headers, authorization: `Bearer ${maya.token}` };
    const { headers: received } = await process.ask("/api/posts", { headers });
    expect(received["content-encoding"]).toBeUndefined();
    expect(received["etag"]).toBeUndefined();
  });

  test("that fails at its beginning is an error without compression", async () => {
    vi.spyOn(process.services.queries, "listKeys").mockRejectedValueOnce(
      Object.assign(new Error("gone"), { code: "ECONNREFUSED" }),
    );
    const { status, headers, text } = await process.ask("/api/posts?fails", gzip);
    expect(status).toBe(503);
    expect(headers["content-encoding"]).toBeUndefined();
    expect(headers["etag"]).not.toMatch(/^W/);
    expect(JSON.parse(text)).toMatchObject({ code: "UNAVAILABLE" });
    expect((await process.ask("/api/posts?fails", gzip)).status).toBe(200);
  });
});

describe("a change while a list is streamed", () => {
  /** Invalidates `tag` after the given read of keys. */
  function changeAfter(read: number, tag: CacheTag): void {
    const { listKeys } = process.services.queries;
    let reads = 0;
    vi.spyOn(process.services.queries, "listKeys").mockImplementation(async (...query) => {
      const keys = await listKeys(...query);
      reads++;
      // The head is written meanwhile.
      if (reads === 2) await setTimeout(100);
      if (reads === read) process.changes.publish([tag]);
      return keys;
    });
  }

  test.each([
    ["before its head", 1, "user:00000000-0000-4000-8000-000000000000"],
    ["after its head", 2, `post:00000000-0000-4000-8000-000000000000`],
  ] as const)("%s prevents that it is cached or recognized by its ETag", async (_name, read, tag) => {
    changeAfter(read, tag);
    const { headers } = await process.ask("/api/posts", gzip);
    expect(headers["etag"] === undefined).toBe(read === 1);
    const again = await process.ask("/api/posts", knowing(headers["etag"] ?? '""', gzip.headers));
    expect(again.status).toBe(200);
    expect(again.text).toBe(await uncached("/api/posts"));
  });
});

describe("the recording of a streamed response", () => {
  const MB = 1024 * 1024;

  function open() {
    const request = { method: "GET", headers: {} } as IncomingMessage;
    const response = new ServerResponse(request);
    let recorded: RecordedResponse | null = null;
    recordResponse(request, response, {
      etagOfStream: () => 'W/"x"',
      end: (result) => void (recorded = result),
    });
    response.setHeader("content-encoding", "gzip");
    return {
      response,
      end(): number | undefined {
        response.end();
        return recorded?.compressed.gzip?.length;
      },
    };
  }

  test("is bounded for all of them together, and ends with the connection", () => {
    const [one, two, three] = [open(), open(), open()];
    one.response.write(Buffer.alloc(3 * MB));
    two.response.write(Buffer.alloc(3 * MB));
    three.response.write(Buffer.alloc(3 * MB));
    expect(three.end()).toBeUndefined();
    expect(two.end()).toBe(3 * MB);
    one.response.emit("close");
    const four = open();
    for (let n = 0; n < 7; n++) four.response.write(Buffer.alloc(MB));
    expect(four.end()).toBe(7 * MB);
  });
});

test("the stored form is a complete gzip file", async () => {
  await process.ask("/api/posts", gzip);
  const { raw } = await process.ask("/api/posts", gzip);
  expect(JSON.parse(gunzipSync(raw).toString())).toHaveLength(POSTS);
});
