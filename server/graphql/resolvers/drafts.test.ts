import { beforeAll, describe, expect, test } from "vitest";
import { MAX_DRAFTS } from "../../limits.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createPost } from "../../testing/factories.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let noor: typeof maya;
beforeAll(async () => {
  blog = await startTestApp();
  [maya, noor] = [await blog.signUp(), await blog.signUp()];
});

const fields = "{ id version title description category alt postUpdatedAt post { id } }";

async function save(variables: object, token = maya.token) {
  const query = `mutation ($id: ID, $version: Int, $input: DraftInput!) {
    saveDraft(id: $id, version: $version, input: $input) ${fields} }`;
  const { body } = await blog.gql(query, variables, token);
  return body.data?.saveDraft ?? body.errors[0];
}

async function read(id: string, token: string | null = maya.token) {
  const { body } = await blog.gql(`query ($id: ID!) { draft(id: $id) ${fields} }`, { id }, token);
  expect(body.errors).toBeUndefined();
  return body.data.draft;
}

test.each(["0000-01-01T00:00:00Z", "+010000-01-01T00:00:00Z"])(
  "has no base outside of the years 1 to 9999: %s",
  async (postUpdatedAt) => {
    const { extensions } = await save({ input: { postUpdatedAt } });
    expect(extensions.code).toBe("BAD_USER_INPUT");
  },
);

describe("a draft", () => {
  test("may be empty, and is stored as it was typed", async () => {
    const empty = await save({ input: {} });
    expect(empty).toMatchObject({
      version: 1,
      title: "",
      description: "",
      category: "",
      alt: "",
      post: null,
    });
    const typed = { title: " Moss ", description: "  indented\r\ntext \n", category: "None yet" };
    const saved = await save({ id: empty.id, version: 1, input: typed });
    expect(saved).toMatchObject({ ...typed, version: 2, description: "  indented\ntext \n" });
    expect(await read(empty.id)).toEqual(saved);
  });

  test("keeps fields that are left out, and empties those that are null", async () => {
    const { id } = await save({ input: { title: "Moss", description: "Green.", alt: "A stone" } });
    const saved = await save({ id, version: 1, input: { title: "Fern", alt: null } });
    expect(saved).toMatchObject({ title: "Fern", description: "Green.", alt: "" });
  });

  test("refuses an older version with the draft as it is", async () => {
    const { id } = await save({ input: { title: "One" } });
    await save({ id, version: 1, input: { title: "Two" } });
    const refusal = await save({ id, version: 1, input: { title: "Three" } });
    expect(refusal.extensions).toMatchObject({ code: "CONFLICT", current: { id, version: 2, title: "Two" } });
    expect(await read(id)).toMatchObject({ version: 2, title: "Two" });
  });

  test("answers a repeated request as the first time", async () => {
    const { id } = await save({ input: { title: "One" } });
    const request = { id, version: 1, input: { title: "Two" } };
    expect(await save(request)).toEqual(await save(request));
    const own = { id: crypto.randomUUID(), version: 0, input: { title: "Chosen id" } };
    expect(await save(own)).toEqual(await save(own));
    expect(await blog.db.draft.count({ where: { title: "Chosen id" } })).toBe(1);
    expect((await save({ ...own, input: { title: "Other" } })).extensions.current.title).toBe("Chosen id");
    const taken = await save(own, noor.token);
    expect(taken.extensions).toEqual({ code: "CONFLICT" });
  });

  test("takes one of several writes of the same version", async () => {
    const { id } = await save({ input: {} });
    const titles = ["a", "b", "c", "d", "e"];
    const responses = await Promise.all(titles.map((title) => save({ id, version: 1, input: { title } })));
    const saved = responses.filter((response) => response.id);
    expect(saved).toHaveLength(1);
    expect(await read(id)).toEqual(saved[0]);
  });

  test("is limited as a post is, and needs the version that it replaces", async () => {
    const { id } = await save({ input: {} });
    for (const [name, length] of [
      ["title", 200],
      ["description", 50_000],
      ["category", 100],
      ["alt", 500],
    ] as const) {
      const version = (await read(id)).version;
      expect(await save({ id, version, input: { [name]: "x".repeat(length) } })).toMatchObject({ id });
      const refusal = await save({ id, version: version + 1, input: { [name]: "x".repeat(length + 1) } });
      expect(refusal.extensions).toMatchObject({
        code: "BAD_USER_INPUT",
        fields: { [name]: refusal.message },
      });
    }
    expect((await save({ id, input: {} })).message).toBe('"version" is required');
    expect((await save({ input: { title: "\0" } })).extensions.code).toBe("BAD_USER_INPUT");
  });

  test("exists for its author alone, who alone can delete it", async () => {
    const { id } = await save({ input: { title: "Secret" } });
    const admin = await blog.signUp({ isAdmin: true });
    for (const token of [null, "undefined", noor.token, admin.token])
      expect(await read(id, token)).toBeNull();
    expect((await save({ id, version: 1, input: {} }, noor.token)).extensions).toEqual({ code: "NOT_FOUND" });
    const remove = (token: string) =>
      blog.gql("mutation ($id: ID!) { deleteDraft(id: $id) { id message } }", { id }, token);
    expect((await remove(admin.token)).body.errors[0].extensions.code).toBe("NOT_FOUND");
    expect((await remove(maya.token)).body.data.deleteDraft.id).toBe(id);
    expect(await read(id)).toBeNull();
  });
});

describe("one's drafts", () => {
  const list = (args: string) =>
    `{ viewer { drafts(${args}) { totalCount pageInfo { hasNextPage endCursor } nodes { id title } } } }`;

  test("are listed newest first, by pages and cursors", async () => {
    const una = await blog.signUp();
    for (const title of ["1", "2", "3"]) await save({ input: { title } }, una.token);
    const read = async (args: string) => (await blog.gql(list(args), {}, una.token)).body.data.viewer.drafts;
    const first = await read("first: 2");
    expect(first.totalCount).toBe(3);
    expect(first.nodes.map((draft: any) => draft.title)).toEqual(["3", "2"]);
    const next = await read(`first: 2, after: "${first.pageInfo.endCursor}"`);
    expect(next.nodes.map((draft: any) => draft.title)).toEqual(["1"]);
    expect((await read("first: 2, page: 2")).nodes).toEqual(next.nodes);
    expect((await read("last: 2")).nodes.map((draft: any) => draft.title)).toEqual(["2", "1"]);
  });

  test(`are ${MAX_DRAFTS} at most, also for concurrent requests`, async () => {
    const una = await blog.signUp();
    await blog.db.draft.createMany({
      data: Array.from({ length: MAX_DRAFTS - 1 }, () => ({ userId: una.id })),
    });
    const responses = await Promise.all([1, 2, 3].map(() => save({ input: {} }, una.token)));
    expect(responses.filter((response) => response.extensions?.code === "BAD_USER_INPUT")).toHaveLength(2);
    expect(await blog.db.draft.count({ where: { userId: una.id } })).toBe(MAX_DRAFTS);
  });

  test("go with their account, and with the post that they would change", async () => {
    const una = await blog.signUp();
    const post = await createPost(blog.db, { userId: una.id });
    const ofPost = await blog.db.draft.create({ data: { userId: una.id, postId: post.id } });
    await save({ input: {} }, una.token);
    expect(await read(ofPost.id, una.token)).toMatchObject({ post: { id: post.id } });
    expect((await blog.rest("DELETE", `/posts/${post.id}`, una.token)).status).toBe(200);
    expect(await blog.db.draft.count({ where: { userId: una.id } })).toBe(1);
    expect((await blog.rest("DELETE", `/users/profile/${una.id}`, una.token)).status).toBe(200);
    expect(await blog.db.draft.count({ where: { userId: una.id } })).toBe(0);
  });
});

test("A49-2: ten new pictures of a text count as one more change, those that the draft had do not", async () => {
  const writer = await blog.signUp();
  const nameOne = () => `[](/media/ab/${crypto.randomUUID()}/wide.avif)`;
  const description = Array.from({ length: 600 }, nameOne).join("");
  const hitsOf = () => blog.db.throttle.findUniqueOrThrow({ where: { key: `drafts ${writer.id}` } });
  const { id } = await save({ input: { description } }, writer.token);
  expect(await hitsOf()).toMatchObject({ hits: 61 });
  for (const version of [1, 2])
    await save({ id, version, input: { description: `${version} ${description}` } }, writer.token);
  expect(await hitsOf()).toMatchObject({ hits: 63 });
  await save({ id, version: 3, input: { description: description + nameOne().repeat(2) } }, writer.token);
  expect(await hitsOf()).toMatchObject({ hits: 64 });
  const others = Array.from({ length: 25 }, nameOne).join("");
  await save({ id, version: 4, input: { description: others + description } }, writer.token);
  expect(await hitsOf()).toMatchObject({ hits: 67 });
});
