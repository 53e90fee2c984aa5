import { beforeAll, expect, test } from "vitest";
import { BULKHEADS } from "../limits.ts";
import { bulkheadCounts } from "../queue.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createCategory, createPost } from "../testing/factories.ts";
import { acquirePermit } from "./endpoint/response-size.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
  await createCategory(blog.db, "Craft");
});

const likeBy = (verb: "likePost" | "unlikePost") => `mutation ($id: ID!) {
  ${verb}(id: $id) { likers(first: 1) { totalCount } categoryInfo { posts(first: 50) { nodes { title likers(first: 1) { totalCount } } } } }
}`;
const stats = { cost: 101, texts: 0, files: 0, schema: 0, depth: 1, aliases: 0, directives: 0 };
type Holder = Parameters<typeof acquirePermit>[1];

/** @returns releases the permits, which are all that an IP address gets */
async function holdPermits(): Promise<() => void> {
  const holder = { ctx: { origin: "127.0.0.1" }, releases: [] as (() => void)[] } as Holder;
  for (let permit = 0; permit < BULKHEADS.quick_operations.perKey.concurrency; permit++)
    await acquirePermit(stats, holder, "query");
  return () => holder.releases.forEach((release) => release());
}

test("T1: a change is made at once, and its expensive result waits for a permit", async () => {
  const reader = await blog.signUp();
  const { id } = await createPost(blog.db, { userId: reader.id });
  // Compiled from its second request on.
  const call = (verb: "likePost" | "unlikePost") => blog.gql(likeBy(verb), { id }, reader.token);
  for (const verb of ["likePost", "unlikePost"] as const)
    expect((await call(verb)).body.errors).toBeUndefined();
  const release = await holdPermits();
  const response = call("likePost");
  await expect.poll(() => bulkheadCounts.quick_operations.waiting).toBe(1);
  expect(await blog.db.like.count({ where: { postId: id } })).toBe(1);
  release();
  expect((await response).body.data.likePost.likers.totalCount).toBe(1);
  expect(bulkheadCounts.quick_operations).toEqual({ running: 0, waiting: 0 });
});

test("T1: a change whose result cannot be read in time says that it was made", async () => {
  const reader = await blog.signUp();
  const { id } = await createPost(blog.db, { userId: reader.id });
  const release = await holdPermits();
  const { body } = await blog.gql(likeBy("likePost"), { id }, reader.token);
  const [{ message, extensions }] = body.errors;
  expect(message).toBe("The change was made, but the server is busy: ask for its result later, by a query");
  expect([extensions.code, extensions.retryAfter]).toEqual(["UNAVAILABLE", expect.any(Number)]);
  expect(await blog.db.like.count({ where: { postId: id } })).toBe(1);
  release();
}, 40_000);
