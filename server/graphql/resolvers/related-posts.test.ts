import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { finishDeferredWork } from "../../domain/deferred-work.ts";
import { relatePending } from "../../domain/posts/related-posts.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createCategory, createPost, createTag } from "../../testing/factories.ts";

let blog: TestApp;
let maya: { id: string; token: string };
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp({ username: "Maya" });
  for (const title of ["Craft", "Food"]) await createCategory(blog.db, title);
});
beforeEach(async () => {
  await blog.db.post.deleteMany();
  await blog.db.tag.deleteMany();
});

const write = async (title: string, category = "Craft", description = "Nothing of the kind.") =>
  (await createPost(blog.db, { userId: maya.id, title, category, description })).id;

async function relate() {
  while (await relatePending(blog.services));
}

async function relatedTo(id: string, args = "") {
  const { body } = await blog.gql(`{ post(id: "${id}") { related${args} { title } } }`);
  return (
    body.errors?.[0].extensions.code ?? body.data.post.related.map((each: { title: string }) => each.title)
  );
}

test("shared tags weigh more than the category, and that more than a few words", async () => {
  const text = "Lichens grow slowly on northern walls.";
  const subject = await write("Subject", "Craft", text);
  const tagged = await write("Tagged", "Food", "Else.");
  await write("Same category", "Craft", "Else.");
  await write("Same words", "Food", "Northern lichens.");
  const both = await write("Two tags", "Food", "Else.");
  await write("Unrelated", "Food", "Else.");
  await createTag(blog.db, { name: "Moss" }, [subject, tagged, both]);
  await createTag(blog.db, { name: "Walls" }, [subject, both]);
  await relate();
  expect(await relatedTo(subject)).toEqual(["Two tags", "Tagged", "Same category"]);
  expect(await relatedTo(subject, "(first: 8)")).toEqual([
    ...["Two tags", "Tagged", "Same category", "Same words"],
  ]);
});

test("a change of a post changes the related posts of others", async () => {
  const subject = await write("Subject", "Craft", "Else.");
  const other = await write("Other", "Food", "Words.");
  await relate();
  expect(await relatedTo(subject)).toEqual([]);
  const update = async (changes: object) => {
    const { status } = await blog.rest("PUT", `/posts/${other}`, maya.token, changes);
    await finishDeferredWork();
    return status;
  };
  await createTag(blog.db, { name: "Moss" }, [subject]);
  expect(await update({ tags: ["moss"] })).toBe(200);
  expect([await relatedTo(subject), await relatedTo(other)]).toEqual([["Other"], ["Subject"]]);
  await update({ tags: [] });
  expect([await relatedTo(subject), await relatedTo(other)]).toEqual([[], []]);
  await update({ category: "Craft" });
  expect(await relatedTo(subject)).toEqual(["Other"]);
  await blog.rest("DELETE", `/posts/${other}`, maya.token);
  expect(await relatedTo(subject)).toEqual([]);
});

test("a request that changes nothing computes nothing", async () => {
  const id = await write("Subject");
  await relate();
  const compute = vi.spyOn(blog.services.writes, "relatePost");
  onTestFinished(() => compute.mockRestore());
  for (const [title, calls] of [
    ["Subject", 0],
    ["Object", 1],
  ] as const) {
    await blog.rest("PUT", `/posts/${id}`, maya.token, { title });
    await finishDeferredWork();
    expect(compute).toHaveBeenCalledTimes(calls);
  }
});

test("1 to 8 can be requested", async () => {
  const id = await write("Subject");
  for (const first of [0, 9, -1]) expect(await relatedTo(id, `(first: ${first})`)).toBe("BAD_USER_INPUT");
  expect(await relatedTo(id, "(first: 8)")).toEqual([]);
});

test("the author's previous and next post", async () => {
  const noor = await blog.signUp({ username: "Noor" });
  const at = (n: number) => new Date(Date.UTC(2020, 0, n));
  const post = (n: number, userId: string) =>
    createPost(blog.db, { userId, title: `Post ${n}`, createdAt: at(n) });
  await post(1, maya.id);
  await post(2, noor.id);
  const middle = await post(3, maya.id);
  await post(4, maya.id);
  const ask = async (id: string) =>
    (await blog.gql(`{ post(id: "${id}") { previous { title } next { title } } }`)).body.data.post;
  expect(await ask(middle.id)).toEqual({ previous: { title: "Post 1" }, next: { title: "Post 4" } });
  const last = await post(5, noor.id);
  expect(await ask(last.id)).toEqual({ previous: { title: "Post 2" }, next: null });
});

test("posts can be deleted while their related posts are computed, and while others are deleted", async () => {
  Object.assign(blog.services, { rateLimitsEnabled: false });
  for (let round = 0; round < 6; round++) {
    const ids = await Promise.all(Array.from({ length: 12 }, (_, n) => write(`Lichens ${n}`)));
    await relate();
    await blog.db.relatedState.updateMany({ data: { isCurrent: false } });
    const relating = relate();
    const responses = await Promise.all(ids.map((id) => blog.rest("DELETE", `/posts/${id}`, maya.token)));
    expect(responses.map(({ status }) => status)).toEqual(ids.map(() => 200));
    await relating;
  }
  expect(await blog.db.relatedPost.count()).toBe(0);
});
