import { beforeAll, describe, expect, test } from "vitest";
import { MAX_BOOKMARKS } from "../../limits.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createPost } from "../../testing/factories.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let noor: typeof maya;
beforeAll(async () => {
  blog = await startTestApp();
  [maya, noor] = [await blog.signUp(), await blog.signUp()];
});

const write = async (title: string) => (await createPost(blog.db, { userId: noor.id, title })).id;

async function change(name: "bookmarkPost" | "removeBookmark", id: string, token = maya.token) {
  const query = `mutation ($id: ID!) { ${name}(id: $id) { id viewerHasBookmarked } }`;
  const { body } = await blog.gql(query, { id }, token);
  return body.data?.[name] ?? body.errors[0];
}

async function read(args: string, token = maya.token) {
  const query = `{ viewer { bookmarks(${args}) { totalCount nodes { title } pageInfo { endCursor hasNextPage } } } }`;
  return (await blog.gql(query, {}, token)).body.data.viewer.bookmarks;
}

describe("a bookmark", () => {
  test("is the account's own, lasts, and is harmless to repeat", async () => {
    const id = await write("Kept");
    for (let time = 0; time < 2; time++)
      expect(await change("bookmarkPost", id)).toEqual({ id, viewerHasBookmarked: true });
    const query = `query ($id: ID!) { post(id: $id) { viewerHasBookmarked } }`;
    for (const [token, expected] of [
      [maya.token, true],
      [noor.token, false],
      [null, false],
    ] as const)
      expect((await blog.gql(query, { id }, token)).body.data.post.viewerHasBookmarked).toBe(expected);
    for (let time = 0; time < 2; time++)
      expect(await change("removeBookmark", id)).toEqual({ id, viewerHasBookmarked: false });
    expect(await read("first: 3")).toMatchObject({ totalCount: 0, nodes: [] });
  });

  test("of a post that is deleted goes with it", async () => {
    const id = await write("Gone soon");
    await change("bookmarkPost", id);
    await blog.gql("mutation ($id: ID!) { deletePost(id: $id) { id } }", { id }, noor.token);
    expect(await blog.db.bookmark.count({ where: { postId: id } })).toBe(0);
    for (const name of ["bookmarkPost", "removeBookmark"] as const)
      expect(await change(name, id)).toMatchObject({ message: "post not found" });
  });
});

test("the list has the latest first, whenever the posts were written, page by page", async () => {
  const reader = await blog.signUp();
  const [old, newer, newest] = [await write("Old"), await write("Newer"), await write("Newest")];
  for (const id of [newest, old, newer]) await change("bookmarkPost", id, reader.token);
  const first = await read("first: 2", reader.token);
  expect(first).toMatchObject({
    totalCount: 3,
    nodes: [{ title: "Newer" }, { title: "Old" }],
    pageInfo: { hasNextPage: true },
  });
  const rest = await read(`first: 2, after: "${first.pageInfo.endCursor}"`, reader.token);
  expect(rest).toMatchObject({ nodes: [{ title: "Newest" }], pageInfo: { hasNextPage: false } });
});

test("an account that has the most may repeat one, and make room for another", async () => {
  const reader = await blog.signUp();
  const [saved, other] = [await write("Kept"), await write("One more")];
  await change("bookmarkPost", saved, reader.token);
  // So many posts would take seconds to write.
  await blog.db.$executeRaw`ALTER TABLE "Bookmark" DROP CONSTRAINT "Bookmark_postId_fkey"`;
  await blog.db.$executeRaw`
    INSERT INTO "Bookmark" ("userId", "postId")
    SELECT ${reader.id}::uuid, gen_random_uuid() FROM generate_series(2, ${MAX_BOOKMARKS}::int)`;
  expect(await change("bookmarkPost", other, reader.token)).toMatchObject({
    message: `an account has at most ${MAX_BOOKMARKS} bookmarks, please remove some`,
    extensions: { code: "BAD_USER_INPUT" },
  });
  expect(await change("bookmarkPost", saved, reader.token)).toMatchObject({ viewerHasBookmarked: true });
  await change("removeBookmark", saved, reader.token);
  expect(await change("bookmarkPost", other, reader.token)).toMatchObject({ viewerHasBookmarked: true });
});
