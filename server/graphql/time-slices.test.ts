import { beforeAll, expect, test } from "vitest";
import { bulkheadCounts } from "../queue.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createPost, createUser } from "../testing/factories.ts";
import { memoizePerOperation } from "./memoize-per-operation.ts";

let blog: TestApp;
const POSTS = 60;

beforeAll(async () => {
  blog = await startTestApp();
  const { id: userId } = await createUser(blog.db);
  const description = "a long text of words ".repeat(2_300);
  for (let n = 0; n < POSTS; n++) await createPost(blog.db, { userId, title: `Long ${n}`, description });
  // The maximum of HTML for one text.
  const html = '<p dir="auto">a <em>word</em> &#x26; more</p>\n'.repeat(13_000);
  await blog.db.postHtml.updateMany({ data: { html, version: 1_000 } });
});

/** The longest time in milliseconds for which nothing else could run. */
async function heldBy(query: string): Promise<number> {
  let [held, seen] = [0, performance.now()];
  const look = () => {
    const now = performance.now();
    [held, seen] = [Math.max(held, now - seen), now];
  };
  const timer = setInterval(look, 1);
  await blog.gql(query);
  look();
  clearInterval(timer);
  return held;
}

// The list is refused after its texts were made, as the response is too long: without time slices this blocks for 0.9 s.
test("other requests run between the texts of a list", async () => {
  const query = `{ posts(first: ${POSTS}) { nodes { descriptionText } } }`;
  await heldBy(query);
  expect(await heldBy(query)).toBeLessThan(400);
});

// Before, one heading of this length took 10 ms each of 1 500 times.
test("aliases and repeated rows compute a text once", async () => {
  const { id } = await blog.db.post.findFirstOrThrow();
  const html = `<h2 id="a">${"&#x26; ".repeat(24_000)}</h2>`;
  await blog.db.postHtml.update({ where: { postId: id }, data: { html } });
  const ids = JSON.stringify(Array.from({ length: 100 }, () => id));
  const fields = Array.from({ length: 15 }, (_, n) => `a${n}: headings { level }`).join(" ");
  // The network pauses after the texts that it has read above.
  await expect.poll(() => bulkheadCounts.texts.running).toBe(0);
  const began = performance.now();
  const { body } = await blog.gql(`{ nodes(ids: ${ids}) { ... on Post { ${fields} } } }`);
  expect(body.data.nodes[99].a14).toEqual([{ level: 2 }]);
  expect(performance.now() - began).toBeLessThan(3_000);
});

// V8 hashes of texts of this length only their length: as keys of one map, 1 500 of them took 4 s.
test("R31A F1: texts of one length are not compared with each other", async () => {
  const lengthOf = memoizePerOperation((text) => text.length);
  const context = { loaders: {}, nextSlice: async () => undefined } as never;
  const beginning = "x".repeat(50_000);
  const began = performance.now();
  for (let n = 1_000; n < 2_500; n++)
    expect(await lengthOf(context, String(n), Buffer.from(`${beginning}${n}`).toString())).toBe(50_004);
  expect(await lengthOf(context, "1000", `${beginning}1`)).toBe(50_001);
  expect(performance.now() - began).toBeLessThan(2_000);
});
