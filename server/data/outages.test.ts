import { readdir, utimes } from "node:fs/promises";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { sweepPictures } from "../domain/pictures.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createCategory, createPost } from "../testing/factories.ts";
import { makePicture } from "../testing/pictures.ts";
import { startTcpProxy } from "../testing/tcp-proxy.ts";

let blog: TestApp;
let line: Awaited<ReturnType<typeof startTcpProxy>>;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let postId: string;
const image = await makePicture();

beforeAll(async () => {
  blog = await startTestApp({}, async (url) => (line = await startTcpProxy(url)).url);
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

const inRest = async (answer: ReturnType<TestApp["rest"]>) => {
  const { status, body } = await answer;
  if (status === 503)
    expect(body).toMatchObject({ message: expect.stringMatching(/./), code: "UNAVAILABLE" });
  return status;
};

const inGraphql = async (query: string, token: string | null = null) => {
  const { body } = await blog.gql(query, {}, token);
  return body.errors?.[0].extensions.code === "UNAVAILABLE" ? 503 : body.errors ? body.errors : 200;
};

/** Reads, writes, an upload and pages, in both languages. */
const calls: Record<string, () => Promise<unknown>> = {
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

async function askAll(): Promise<{ answers: Record<string, unknown>; slowest: number }> {
  const began = performance.now();
  const answers = Object.fromEntries(
    await Promise.all(Object.entries(calls).map(async ([name, call]) => [name, await call()])),
  );
  return { answers, slowest: performance.now() - began };
}

const all503 = Object.fromEntries(Object.keys(calls).map((name) => [name, 503]));
const good = { "create a post": 201, comment: 201 };
const allGood = { ...Object.fromEntries(Object.keys(calls).map((name) => [name, 200])), ...good };

/** The folders of pictures that no row knows. */
async function findStrays(): Promise<string[]> {
  const rows = await blog.db.picture.findMany({ select: { id: true } });
  const shards = await readdir(blog.mediaFolder);
  const homes = await Promise.all(
    shards.map(async (shard) =>
      (await readdir(join(blog.mediaFolder, shard))).map((name) => join(blog.mediaFolder, shard, name)),
    ),
  );
  return homes.flat().filter((home) => !rows.some((row) => row.id === basename(home)));
}

async function expectRecovery(): Promise<void> {
  const began = performance.now();
  line.work();
  await expect.poll(async () => (await askAll()).answers, { timeout: 10_000 }).toEqual(allGood);
  expect(performance.now() - began).toBeLessThan(10_000);
}

test("with the database there, every one of the calls is good", async () => {
  expect((await askAll()).answers).toEqual(allGood);
});

describe("every call and page says 503 within five seconds, and is good again within ten of its return,", () => {
  test("while the database lets nobody in", async () => {
    line.refuse();
    const { answers, slowest } = await askAll();
    expect(answers).toEqual(all503);
    expect(slowest).toBeLessThan(5_000);
    await expectRecovery();
    expect(await findStrays()).toEqual([]);
  });

  test("while the database takes everything in and answers nothing, open connections or new ones", async () => {
    line.hang();
    for (let round = 0; round < 2; round++) {
      const { answers, slowest } = await askAll();
      expect(answers).toEqual(all503);
      expect(slowest).toBeLessThan(5_000);
    }
    await expectRecovery();
    expect(await findStrays()).toEqual([]);
  });

  test("when connections are cut in the midst of calls: each is done or refused, never half", async () => {
    const before = await blog.db.post.count();
    const under = Array.from({ length: 5 }, () => upload());
    await new Promise((done) => setTimeout(done, 60));
    line.cut();
    const statuses = (await Promise.all(under)).map(({ status }) => status);
    for (const status of statuses) expect([201, 503]).toContain(status);
    await expectRecovery();
    const made = statuses.filter((status) => status === 201).length;
    expect(await blog.db.post.count()).toBeGreaterThanOrEqual(before + made);
    // Whether a row was written whose answer was lost, nobody knows at first: an hour later the worker does.
    const anHourAgo = new Date(Date.now() - 61 * 60_000);
    for (const stray of await findStrays()) await utimes(stray, anHourAgo, anHourAgo);
    await sweepPictures(blog.services);
    expect(await findStrays()).toEqual([]);
  });
});
