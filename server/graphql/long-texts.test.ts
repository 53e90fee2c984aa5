import pg from "pg";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createPost } from "../testing/factories.ts";

// R31A F5: one statement returned the texts of 100 posts, or the HTML of 300 (207 MB), and held up those of others for 4 s.
let blog: TestApp;
let token: string;
const POSTS = 20;
const textOf = (n: number) => `${String(n).padStart(2, "0")} ${"slate ".repeat(8_000)}`;
const commentOf = (n: number) => `${n} ${"\u0001".repeat(1_990)}`;
const htmlOf = (n: number) => `<p>${textOf(n).repeat(5)}</p>`;
const numbers = Array.from({ length: POSTS }, (_, n) => n);

let postId: string;
beforeAll(async () => {
  blog = await startTestApp();
  const account = await blog.signUp();
  ({ token } = account);
  for (const n of numbers) {
    const createdAt = new Date(Date.UTC(2026, 0, 1, n));
    const { id } = await createPost(blog.db, { userId: account.id, createdAt, description: textOf(n) });
    postId = id;
    const rendered = { html: htmlOf(n), version: 1_000 };
    await blog.db.postHtml.upsert({
      where: { postId: id },
      create: { postId: id, ...rendered },
      update: rendered,
    });
    await blog.db.draft.create({
      data: { userId: account.id, title: "", createdAt, description: textOf(n) },
    });
    const { title, category, userId } = await blog.db.post.findUniqueOrThrow({ where: { id } });
    for (let k = 0; k < 10; k++)
      await blog.db.comment.create({ data: { postId, userId, createdAt, text: commentOf(n) } });
    await blog.db.revision.create({
      data: { postId, userId, title, category, createdAt, description: textOf(n) },
    });
  }
  await blog.db.revision.updateMany({ data: { postId } });
});

/** Records the lengths of the results of all statements, as JSON. */
function recordLengths(): number[] {
  const lengths: number[] = [];
  const { query } = pg.Client.prototype;
  const recorded = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
    this: pg.Client,
    ...call: any[]
  ) {
    const result = (query as any).apply(this, call);
    void Promise.resolve(result).then((found: any) => lengths.push(JSON.stringify(found?.rows ?? []).length));
    return result;
  } as never);
  onTestFinished(() => recorded.mockRestore());
  return lengths;
}

const newestFirst = [...numbers].reverse();

test.each([
  ["posts", "{ posts(first: 50) { nodes { text: description } } }", textOf],
  ["HTML", "{ posts(first: 50) { nodes { text: descriptionHtml } } }", htmlOf],
  ["drafts", "{ viewer { drafts(first: 50) { nodes { text: description } } } }", textOf],
  [
    "revisions",
    "query ($id: ID!) { post(id: $id) { revisions(first: 50) { nodes { text: description } } } }",
    textOf,
  ],
])("no statement returns many long texts of %s", async (_name, query, expected) => {
  const lengths = recordLengths();
  const { body } = await blog.gql(query, { id: postId }, token);
  const { posts, viewer, post } = body.data;
  const { nodes } = posts ?? viewer?.drafts ?? post.revisions;
  expect(nodes.map(({ text }: { text: string }) => text)).toEqual(newestFirst.map(expected));
  expect(lengths.filter((length) => length > 100_000).length).toBeGreaterThan(1);
  expect(Math.max(...lengths)).toBeLessThan(700_000);
});

test("no statement returns many comments of many posts", async () => {
  const lengths = recordLengths();
  const { body } = await blog.gql(
    "{ posts(first: 50) { nodes { comments(first: 50) { nodes { text } } } } }",
  );
  const texts = body.data.posts.nodes.map(({ comments }: any) => comments.nodes.map(({ text }: any) => text));
  expect(texts).toEqual(newestFirst.map((n) => Array.from({ length: 10 }, () => commentOf(n))));
  // As JSON, of which each control character takes six.
  expect(Math.max(...lengths)).toBeLessThan(6 * 330_000);
});

test("an operation reads 20 MB of HTML at most, and refuses more before it reads it", async () => {
  await blog.db.postHtml.updateMany({ data: { html: "x".repeat(1_500_000), version: 1_000 } });
  const lengths = recordLengths();
  const { body } = await blog.gql("{ posts(first: 50) { nodes { headings { id } } } }");
  expect(body.errors[0]).toMatchObject({
    message: "the HTML of these posts has more than 20 MB: ask for fewer at once",
    extensions: { code: "BAD_USER_INPUT" },
  });
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(5_000_000);
});
