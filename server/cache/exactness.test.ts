import { beforeAll, describe, expect, test, vi } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createCategory, createComment, createLike, createPost, createUser } from "../testing/factories.ts";
import { json, startProcess, type Process } from "../testing/processes.ts";
import { warmCache, publicQuestions, response, uncachedResponse } from "../testing/public-answers.ts";

/** How often somebody writes and reads at once what was written. */
const ROUNDS = Number(process.env["EXACTNESS_ROUNDS"] ?? 500);
/** How soon other processes have to know, in milliseconds. */
const SOON = 50;

let blog: TestApp;
let one: Process;
let other: Process;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let postId: string;
beforeAll(async () => {
  blog = await startTestApp();
  // More is written here than any person does.
  Object.assign(blog.services, { rateLimitsEnabled: false });
  maya = await blog.signUp({ username: "Maya" });
  await createCategory(blog.db, "Craft");
  postId = (await createPost(blog.db, { userId: maya.id })).id;
  await createComment(blog.db, { postId, userId: maya.id });
  [one, other] = [await startProcess(blog), await startProcess(blog)];
});

/** Writes through `by` and says what must be read from then on. */
async function rename(by: Process, id: string, title: string): Promise<void> {
  const { status } = await by.ask(`/api/posts/${id}`, {
    method: "PUT",
    headers: { ...json, authorization: `Bearer ${maya.token}` },
    body: JSON.stringify({ title }),
  });
  expect(status).toBe(200);
}

const readTitle: Record<string, (by: Process, id: string) => Promise<string>> = {
  "POST /graphql": async (by, id) => (await by.gql(`{ post(id: "${id}") { id title } }`)).text,
  "GET /api": async (by, id) => (await by.ask(`/api/posts/${id}`)).text,
  "a page": async (by, id) => (await by.ask(`/posts/details/${id}`)).text,
};

test(
  `of ${ROUNDS} reads after one's own write not one is stale, in any language, with others writing and reading`,
  async () => {
    const posts = await Promise.all([1, 2, 3].map(() => createPost(blog.db, { userId: maya.id })));
    const languages = Object.values(readTitle);
    let isOver = false;
    const readers = posts.flatMap(({ id }) =>
      languages.slice(0, 1).map(async (read) => {
        while (!isOver) await read(one, id);
      }),
    );
    const stale: string[] = [];
    await Promise.all(
      posts.map(async ({ id }, writer) => {
        for (let n = writer; n < ROUNDS; n += posts.length) {
          const title = `Round ${n} of ${writer}.`;
          await rename(one, id, title);
          // A page costs ten times what the others do, and is made of the same reads.
          const read = n % 10 === 0 ? languages[2] : languages[n % 2];
          if (!(await read?.(one, id))?.includes(title)) stale.push(title);
        }
      }),
    );
    isOver = true;
    await Promise.all(readers);
    expect(stale).toEqual([]);
    expect(one.answers.size().hits).toBeGreaterThan(10);
    // Less than 20 ms a round on a quiet machine.
  },
  Math.max(120_000, ROUNDS * 200),
);

/** Waits until `read` says `text`; how long that took. */
async function lag(read: () => Promise<string>, text: string): Promise<number> {
  const began = performance.now();
  await vi.waitUntil(async () => (await read()).includes(text), { timeout: 5_000, interval: 1 });
  return performance.now() - began;
}

const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

test("what one process writes the other knows within 50 ms, and its own readers at once", async () => {
  const lags: number[] = [];
  for (let n = 0; n < 30; n++) {
    const [writer, reader] = n % 2 ? [one, other] : [other, one];
    const read = n % 3 ? readTitle["GET /api"] : readTitle["POST /graphql"];
    if (!read) throw new Error("no such language");
    await read(reader, postId);
    const title = `Across ${n}.`;
    await rename(writer, postId, title);
    lags.push(await lag(() => read(reader, postId), title));
    expect(await read(writer, postId)).toContain(title);
  }
  expect(median(lags)).toBeLessThan(SOON);
}, 60_000);

const sql = (text: string, ...values: unknown[]) => blog.pool.query(text, values);

describe("whatever is written with plain SQL, every page and answer is soon true:", () => {
  const writes: Record<string, () => Promise<unknown>> = {
    'INSERT "Post"': () => createPost(blog.db, { userId: maya.id, title: "From outside" }),
    'UPDATE "Post"': () => sql(`UPDATE "Post" SET title = 'Else', category = 'Gone' WHERE id = $1`, postId),
    'INSERT "Like"': () => createLike(blog.db, { postId, userId: maya.id }),
    'UPDATE "Like"': () => sql(`UPDATE "Like" SET "createdAt" = '2020-01-01'`),
    'UPDATE "Like" to another post': () =>
      sql(`UPDATE "Like" SET "postId" = (SELECT id FROM "Post" WHERE id <> $1 LIMIT 1)`, postId),
    'INSERT "Comment"': () => createComment(blog.db, { postId, userId: maya.id, text: "From outside" }),
    'UPDATE "Comment"': () => sql(`UPDATE "Comment" SET text = 'Else'`),
    'UPDATE "Comment" to another post': () =>
      sql(`UPDATE "Comment" SET "postId" = (SELECT id FROM "Post" WHERE id <> $1 LIMIT 1)`, postId),
    'UPDATE "User"': () => sql(`UPDATE "User" SET username = 'Maja', bio = 'Else'`),
    'UPDATE "Picture"': () => sql(`UPDATE "Picture" SET widths = '{480}', width = 480`),
    'INSERT "Category"': () => createCategory(blog.db, "Outside"),
    'UPDATE "Category"': () => sql(`UPDATE "Category" SET title = title || '!'`),
    'DELETE "Category"': () => sql(`DELETE FROM "Category" WHERE title = 'Outside!'`),
    'DELETE "Like"': () => sql(`DELETE FROM "Like"`),
    'DELETE "Comment"': () => sql(`DELETE FROM "Comment"`),
    'DELETE "Post"': () => sql(`DELETE FROM "Post" WHERE id <> $1`, postId),
    'INSERT "User"': () => createUser(blog.db, { id: coming, username: "Came later" }),
    'DELETE "User"': () => sql(`DELETE FROM "User" WHERE id = $1`, coming),
    'TRUNCATE "Like"': () => sql(`TRUNCATE "Like"`),
    'TRUNCATE "Comment"': () => sql(`TRUNCATE "Comment"`),
    'TRUNCATE "Category"': () => sql(`TRUNCATE "Category"`),
    'TRUNCATE "Post"': () => sql(`TRUNCATE "Post" CASCADE`),
    'TRUNCATE "User"': () => sql(`TRUNCATE "User" CASCADE`),
  };
  const coming = "00000000-0000-4000-8000-00000000c0de";

  test.each(Object.entries(writes))("%s", async (_name, write) => {
    const questions = publicQuestions({ post: postId, user: maya.id, category: "Craft" });
    const query = `{ profile(id: "${coming}") { username posts { totalCount } } }`;
    const late = { path: "/graphql", method: "POST", headers: json, body: JSON.stringify({ query }) };
    const all = [...questions, late];
    // What is not there any more is not kept either.
    const there = await Promise.all(
      all.map(async (each) => (await uncachedResponse(blog, each)).status === 200),
    );
    await warmCache(
      one,
      all.filter((_each, index) => there[index]),
    );
    await write();
    await new Promise((done) => setTimeout(done, SOON));
    for (const question of all)
      expect(await response(one, question)).toEqual(await uncachedResponse(blog, question));
  });
});
