import { readdir, utimes } from "node:fs/promises";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { sweepPictures } from "../domain/pictures.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createCategory, createPost } from "../testing/factories.ts";
import { adoptPictures } from "../testing/picture-store.ts";
import { makePicture } from "../testing/pictures.ts";
import { startTcpProxy } from "../testing/tcp-proxy.ts";

let blog: TestApp;
let line: Awaited<ReturnType<typeof startTcpProxy>>;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let postId: string;
const image = await makePicture();

beforeAll(async () => {
  blog = await startTestApp({}, { mapUrl: async (url) => (line = await startTcpProxy(url)).url });
  maya = await blog.signUp({ username: "Maya" });
  await createCategory(blog.db, "Craft");
  postId = (await createPost(blog.db, { userId: maya.id })).id;
});

const fields = { title: "Bread", description: "A text that is long enough.", category: "Craft" };
const upload = () =>
  blog.restForm("POST", "/posts", maya.token, [
    ...Object.entries(fields).map(([name, value]) => ({ name, value })),
    { name: "image", value: image, filename: "a.jpg" },
  ]);

const page = async (path: string) => {
  const { statusCode, headers, body } = await blog.app.inject(path);
  expect(headers["content-type"], path).toContain("text/html");
  expect(body).not.toMatch(/prisma|ECONN|stack/i);
  if (statusCode === 503) expect(headers["retry-after"], path).toBe("5");
  return statusCode;
};

const inRest = async (response: ReturnType<TestApp["rest"]>) => {
  const { status, body } = await response;
  if (status === 503)
    expect(body).toMatchObject({ message: expect.stringMatching(/./), code: "UNAVAILABLE" });
  return status;
};

const inGraphql = async (query: string, token: string | null = null) => {
  const { body } = await blog.gql(query, {}, token);
  return body.errors?.[0].extensions.code === "UNAVAILABLE" ? 503 : body.errors ? body.errors : 200;
};

const requests: Record<string, () => Promise<unknown>> = {
  "GET /posts?pageNumber=1": () => inRest(blog.rest("GET", "/posts?pageNumber=1")),
  "GET /posts/:id": () => inRest(blog.rest("GET", `/posts/${postId}`)),
  "GET /categories": () => inRest(blog.rest("GET", "/categories")),
  "like a post": () => inRest(blog.rest("PUT", `/posts/like/${postId}`, maya.token)),
  comment: () => inRest(blog.rest("POST", "/comments", maya.token, { postId, text: "Well said." })),
  "create a post": () => inRest(upload()),
  "query { posts }": () => inGraphql("{ posts(first: 3) { nodes { title user { username } } } }"),
  "mutation { createComment }": () =>
    inGraphql(`mutation { createComment(postId: "${postId}", text: "Well.") { id } }`, maya.token),
  "the first page": () => page("/"),
  "a post's page": () => page(`/posts/details/${postId}`),
};

async function sendAll(): Promise<{ responses: Record<string, unknown>; slowest: number }> {
  const began = performance.now();
  const responses = Object.fromEntries(
    await Promise.all(Object.entries(requests).map(async ([name, call]) => [name, await call()])),
  );
  return { responses, slowest: performance.now() - began };
}

const all503 = Object.fromEntries(Object.keys(requests).map((name) => [name, 503]));
const good = { "create a post": 201, comment: 201 };
const allGood = { ...Object.fromEntries(Object.keys(requests).map((name) => [name, 200])), ...good };

async function findOrphans(): Promise<string[]> {
  const rows = await blog.db.picture.findMany({ select: { id: true } });
  const shards = await readdir(blog.mediaFolder);
  const homes = await Promise.all(
    shards
      .filter((shard) => shard !== ".folder-id")
      .map(async (shard) =>
        (await readdir(join(blog.mediaFolder, shard))).map((name) => join(blog.mediaFolder, shard, name)),
      ),
  );
  return homes.flat().filter((home) => !rows.some((row) => row.id === basename(home)));
}

async function expectRecovery(): Promise<void> {
  const began = performance.now();
  line.work();
  await expect.poll(async () => (await sendAll()).responses, { timeout: 10_000 }).toEqual(allGood);
  expect(performance.now() - began).toBeLessThan(10_000);
}

test("every request succeeds while the database is up", async () => {
  expect((await sendAll()).responses).toEqual(allGood);
});

describe("every request gets 503 within five seconds and succeeds within ten seconds of the recovery", () => {
  test("while the database rejects connections", async () => {
    line.refuse();
    const { responses, slowest } = await sendAll();
    expect(responses).toEqual(all503);
    expect(slowest).toBeLessThan(5_000);
    await expectRecovery();
    expect(await findOrphans()).toEqual([]);
  });

  test("while the database hangs on open and new connections", async () => {
    line.hang();
    for (let round = 0; round < 2; round++) {
      const { responses, slowest } = await sendAll();
      expect(responses).toEqual(all503);
      expect(slowest).toBeLessThan(5_000);
    }
    await expectRecovery();
    expect(await findOrphans()).toEqual([]);
  });

  test("when connections are lost during requests, which complete or fail as a whole", async () => {
    const before = await blog.db.post.count();
    const under = Array.from({ length: 5 }, () => upload());
    await new Promise((done) => setTimeout(done, 60));
    line.cut();
    const statuses = (await Promise.all(under)).map(({ status }) => status);
    for (const status of statuses) expect([201, 503]).toContain(status);
    await expectRecovery();
    const made = statuses.filter((status) => status === 201).length;
    expect(await blog.db.post.count()).toBeGreaterThanOrEqual(before + made);
    // After a lost response the row may exist, so the sweep removes orphaned files only after an hour.
    const anHourAgo = new Date(Date.now() - 61 * 60_000);
    for (const folder of await findOrphans()) await utimes(folder, anHourAgo, anHourAgo);
    await adoptPictures(blog);
    await sweepPictures(blog.services);
    expect(await findOrphans()).toEqual([]);
  });
});
