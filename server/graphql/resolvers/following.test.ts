import { beforeAll, describe, expect, test } from "vitest";
import { MAX_FOLLOWS } from "../../limits.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createCategory, createPost, createTag } from "../../testing/factories.ts";

let blog: TestApp;
let noor: Awaited<ReturnType<TestApp["signUp"]>>;
let ada: typeof noor;
let craft: string;
const tags = { slate: "", roofs: "" };
beforeAll(async () => {
  blog = await startTestApp();
  [noor, ada] = [await blog.signUp(), await blog.signUp({ isAdmin: true })];
  craft = (await createCategory(blog.db, "Craft")).id;
  const write = (n: number, userId: string, category: string) =>
    createPost(blog.db, { userId, category, title: `${n}`, createdAt: new Date(Date.UTC(2020, 0, n)) });
  await write(1, noor.id, "Food");
  await write(2, ada.id, "Craft");
  const tagged = await write(3, ada.id, "Food");
  const everything = await write(4, noor.id, "Craft");
  await write(5, ada.id, "Food");
  for (const [name, ids] of [
    ["slate", [tagged.id, everything.id]],
    ["roofs", [everything.id]],
  ] as const)
    tags[name] = (await createTag(blog.db, { name }, ids)).id;
});

async function change(name: "follow" | "unfollow", id: string, token: string) {
  const query = `mutation ($id: ID!) { ${name}(id: $id) { __typename id viewerIsFollowing } }`;
  const { body } = await blog.gql(query, { id }, token);
  return body.data?.[name] ?? body.errors[0];
}

async function read(args: string, token: string) {
  const query = `{ viewer { followed(${args}) { totalCount nodes { title } pageInfo { endCursor hasNextPage } } } }`;
  const { totalCount, nodes, pageInfo } = (await blog.gql(query, {}, token)).body.data.viewer.followed;
  return { totalCount, titles: nodes.map(({ title }: { title: string }) => title), ...pageInfo };
}

describe("followed posts", () => {
  test("are those of authors, categories and tags, each once, newest first", async () => {
    const { token } = await blog.signUp();
    expect(await read("first: 9", token)).toMatchObject({ totalCount: 0, titles: [] });
    for (const [type, id, titles] of [
      ["Profile", noor.id, ["4", "1"]],
      ["Category", craft, ["4", "2", "1"]],
      ["Tag", tags.slate, ["4", "3", "2", "1"]],
    ] as const) {
      for (let time = 0; time < 2; time++)
        expect(await change("follow", id, token)).toEqual({ __typename: type, id, viewerIsFollowing: true });
      expect(await read("first: 9", token)).toMatchObject({ totalCount: titles.length, titles });
    }
    const first = await read("first: 3", token);
    expect(first).toMatchObject({ titles: ["4", "3", "2"], hasNextPage: true });
    expect(await read(`first: 3, after: "${first.endCursor}"`, token)).toMatchObject({
      titles: ["1"],
      hasNextPage: false,
    });
    expect(await read("first: 2, page: 2", token)).toMatchObject({ titles: ["2", "1"] });
    expect(await read("last: 2", token)).toMatchObject({ titles: ["2", "1"] });
  });

  test("are gone when nothing of theirs is followed any more", async () => {
    const { token } = await blog.signUp();
    await change("follow", noor.id, token);
    await change("follow", craft, token);
    for (let time = 0; time < 2; time++)
      expect(await change("unfollow", noor.id, token)).toMatchObject({ viewerIsFollowing: false });
    expect(await read("first: 9", token)).toMatchObject({ titles: ["4", "2"] });
  });
});

describe("follows", () => {
  test("of an author who is deleted meanwhile get NOT_FOUND", async () => {
    const [{ token }, { id }] = [await blog.signUp(), await blog.signUp()];
    const { queries } = blog.services;
    Object.assign(blog.services, { queries: { ...queries, profiles: () => Promise.resolve(new Map()) } });
    const refused = await change("unfollow", id, token);
    Object.assign(blog.services, { queries });
    expect(refused.extensions.code).toBe("NOT_FOUND");
  });

  test("are the account's own", async () => {
    const { token } = await blog.signUp();
    await change("follow", craft, token);
    const query = `query ($id: ID!) { node(id: $id) { ... on Followable { viewerIsFollowing } } }`;
    for (const [reader, viewerIsFollowing] of [
      [token, true],
      [noor.token, false],
      [null, false],
    ] as const)
      expect((await blog.gql(query, { id: craft }, reader)).body.data.node).toEqual({ viewerIsFollowing });
  });

  test("are refused for oneself and for what nobody can follow", async () => {
    const post = await blog.db.post.findFirstOrThrow();
    expect(await change("follow", noor.id, noor.token)).toMatchObject({
      message: "you cannot follow yourself",
    });
    for (const name of ["follow", "unfollow"] as const)
      expect(await change(name, post.id, noor.token)).toMatchObject({
        message: "author, category or tag not found",
        extensions: { code: "NOT_FOUND" },
      });
  });

  test("of a merged tag become follows of the tag that stays", async () => {
    const [one, both] = [await blog.signUp(), await blog.signUp()];
    for (const { token } of [one, both]) await change("follow", tags.roofs, token);
    await change("follow", tags.slate, both.token);
    const merge = "mutation ($from: ID!, $into: ID!) { mergeTags(from: $from, into: $into) { id } }";
    await blog.gql(merge, { from: tags.roofs, into: tags.slate }, ada.token);
    for (const { token } of [one, both])
      expect(await read("first: 9", token)).toMatchObject({ titles: ["4", "3"] });
  });

  test("are a limited number, of which repeated ones are none", async () => {
    const { id, token } = await blog.signUp();
    await change("follow", craft, token);
    await blog.db.$executeRaw`ALTER TABLE "Follow" DROP CONSTRAINT "Follow_profileId_fkey"`;
    await blog.db.$executeRaw`
      INSERT INTO "Follow" (id, "userId", "profileId")
      SELECT gen_random_uuid(), ${id}::uuid, gen_random_uuid() FROM generate_series(2, ${MAX_FOLLOWS}::int)`;
    expect(await change("follow", noor.id, token)).toMatchObject({
      message: `an account follows at most ${MAX_FOLLOWS}, please unfollow some`,
    });
    expect(await change("follow", craft, token)).toMatchObject({ viewerIsFollowing: true });
  });
});
