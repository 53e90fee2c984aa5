import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { removeUnusedTags } from "../../domain/posts/tags.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createCategory, createPost, createTag } from "../../testing/factories.ts";
import { makePicture } from "../../testing/pictures.ts";

let blog: TestApp;
let maya: { id: string; token: string };
let ada: { token: string };
const picture = await makePicture();

beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp({ username: "Maya" });
  ada = await blog.signUp({ username: "Ada", isAdmin: true });
  await createCategory(blog.db, "Craft");
});
beforeEach(async () => {
  await blog.db.post.deleteMany();
  await blog.db.tag.deleteMany();
});

const ask = async (query: string, variables = {}, token: string | null = null) =>
  (await blog.gql(query, variables, token)).body;

const writeOne = async () => (await createPost(blog.db, { userId: maya.id })).id;

async function tag(id: string, tags: unknown) {
  const query = `mutation ($id: ID!, $input: PostChanges!) { updatePost(id: $id, input: $input) { tags { name } } }`;
  const { data, errors } = await ask(query, { id, input: { tags } }, maya.token);
  return errors ? errors[0].extensions : data.updatePost.tags.map((each: { name: string }) => each.name);
}

const tagNames = async (args = "") =>
  (await ask(`{ tags(first: 100 ${args}) { nodes { name } } }`)).data.tags.nodes.map(
    (each: { name: string }) => each.name,
  );

describe("tags of a post", () => {
  test.each([
    ["keep their order", ["b", "a"], ["b", "a"]],
    ["lose spaces and a hash", ["  #slow   trains "], ["slow trains"]],
    ["are counted once in two spellings", ["Café", "CAFE", "cafe\u0301"], ["Café"]],
    ["are none for empty names", ["", "  ", "#"], []],
    ["differ in letters with marks of other scripts", ["कि", "की"], ["कि", "की"]],
  ])("%s", async (_title, given, expected) => {
    expect(await tag(await writeOne(), given)).toEqual(expected);
  });

  test("take the spelling of the tag that is there", async () => {
    await tag(await writeOne(), ["Slate"]);
    expect(await tag(await writeOne(), ["SLATE"])).toEqual(["Slate"]);
  });

  test.each([
    ['"tags" must not be more than 5', ["a", "b", "c", "d", "e", "f"]],
    ['"tags" length must be less than or equal to 40 characters long each', ["x".repeat(41)]],
    ['"tags" must contain a letter or a digit', ["—"]],
    ['"tags" must not contain commas', ["a,b"]],
    ['"tags" contains invalid characters', ["a\0"]],
    ['"tags" contains invalid characters', ["p\u0336o\u0336l\u0336"]],
    ['"tags" contains invalid characters', ["\u202egardens"]],
    ['"tags" contains invalid characters', ["cine\u200bma"]],
  ])("are refused: %s", async (message, given) => {
    expect(await tag(await writeOne(), given)).toEqual({ code: "BAD_USER_INPUT", fields: { tags: message } });
  });

  test("stay when a change does not name them, and null is no name", async () => {
    const id = await writeOne();
    await tag(id, ["Slate"]);
    expect(await tag(id, null)).toEqual(["Slate"]);
    const { body } = await blog.rest("PUT", `/posts/${id}`, maya.token, { title: "Renamed" });
    expect(body.tags).toEqual(["Slate"]);
  });

  test("change its updatedAt, even alone", async () => {
    const { id } = await createPost(blog.db, { userId: maya.id, updatedAt: new Date(0) });
    await tag(id, ["Slate"]);
    const { updatedAt } = await blog.db.post.findUniqueOrThrow({ where: { id } });
    expect(Date.now() - updatedAt.getTime()).toBeLessThan(10_000);
  });

  test("come with a new post, also from a draft, whose post gives them back to its next draft", async () => {
    const content = { title: "On slate", description: "It splits where it lay.", category: "Craft" };
    const { data } = await ask(
      "mutation ($input: DraftInput!) { saveDraft(input: $input) { id version tags } }",
      { input: { ...content, tags: ["Slate ", "slate", "b"] } },
      maya.token,
    );
    const { id, version, tags } = data.saveDraft;
    expect(tags).toEqual(["Slate ", "slate", "b"]);
    const { body } = await blog.gqlUpload(
      {
        query: `mutation ($image: Upload!) { uploadPicture(image: $image, alt: "") { id } }`,
        variables: { image: null },
        file: picture,
        path: "variables.image",
      },
      maya.token,
    );
    const covered = await ask(
      `mutation ($id: ID!, $version: Int!, $picture: ID) {
        saveDraft(id: $id, version: $version, input: { picture: $picture }) { version tags } }`,
      { id, version, picture: body.data.uploadPicture.id },
      maya.token,
    );
    expect(covered.data.saveDraft.tags).toEqual(tags);
    const published = await ask(
      `mutation ($id: ID!, $version: Int!) { publishDraft(id: $id, version: $version) { id tags { name } } }`,
      { id, version: covered.data.saveDraft.version },
      maya.token,
    );
    expect(published.data.publishDraft.tags).toEqual([{ name: "Slate" }, { name: "b" }]);
    const next = await ask(
      "mutation ($id: ID!) { editPost(id: $id) { id version tags } }",
      { id: published.data.publishDraft.id },
      maya.token,
    );
    expect(next.data.editPost.tags).toEqual(["Slate", "b"]);
    await ask(
      `mutation ($id: ID!) { saveDraft(id: $id, version: 1, input: { tags: null }) { id } }`,
      { id: next.data.editPost.id },
      maya.token,
    );
    const emptied = await ask(
      `mutation ($id: ID!) { publishDraft(id: $id, version: 2) { tags { name } } }`,
      { id: next.data.editPost.id },
      maya.token,
    );
    expect(emptied.data.publishDraft.tags).toEqual([]);
  });

  test("survive twenty posts that are given the same new ones at once", async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, writeOne));
    Object.assign(blog.services, { rateLimitsEnabled: false });
    const given = await Promise.all(ids.map((id, n) => tag(id, n % 2 ? ["a", "b"] : ["B", "A"])));
    Object.assign(blog.services, { rateLimitsEnabled: true });
    for (const names of given)
      expect(names.map((name: string) => name.toLowerCase()).sort()).toEqual(["a", "b"]);
    expect(await tagNames()).toHaveLength(2);
  });
});

describe("the list of tags", () => {
  test("finds parts of names in any spelling, and hides tags without posts", async () => {
    const id = await writeOne();
    await createTag(blog.db, { name: "Café noir", createdAt: new Date(1) }, [id, await writeOne()]);
    await createTag(blog.db, { name: "Decaf", createdAt: new Date(2) }, [id]);
    await createTag(blog.db, { name: "Cafeteria" }, []);
    expect(await tagNames(`search: " CAFÉ"`)).toEqual(["Café noir"]);
    expect(await tagNames(`search: "caf", sort: "postCount"`)).toEqual(["Decaf", "Café noir"]);
    const { data } = await ask(
      `{ tag(name: "cafe NOIR") { name postCount } none: tag(name: "cafeteria") { name } }`,
    );
    expect(data).toEqual({ tag: { name: "Café noir", postCount: 2 }, none: null });
  });

  test("narrows posts, and the narrowed list can be counted, searched and paged", async () => {
    const [one, other] = [await writeOne(), await writeOne()];
    await writeOne();
    await createTag(blog.db, { name: "Slate" }, [one, other]);
    const refused = await ask(`{ posts(tag: "\\u0000") { totalCount } }`);
    expect(refused.errors[0].extensions.code).toBe("BAD_USER_INPUT");
    const { data } = await ask(`{
      posts(tag: "SLATE", first: 1) { totalCount nodes { id } pageInfo { hasNextPage } }
      found: posts(tag: "slate", search: "text") { totalCount }
      none: posts(tag: "slat") { totalCount } }`);
    expect(data).toEqual({
      posts: { totalCount: 2, nodes: [{ id: other }], pageInfo: { hasNextPage: true } },
      found: { totalCount: 2 },
      none: { totalCount: 0 },
    });
  });
});

describe("admins", () => {
  const rename = (id: string, name: string) =>
    ask(
      "mutation ($id: ID!, $name: String!) { renameTag(id: $id, name: $name) { name } }",
      { id, name },
      ada.token,
    );
  const merge = (from: string, into: string) =>
    ask(
      "mutation ($from: ID!, $into: ID!) { mergeTags(from: $from, into: $into) { name postCount } }",
      { from, into },
      ada.token,
    );

  test("rename a tag, but not to the name of another that has posts", async () => {
    const id = await writeOne();
    const slate = await createTag(blog.db, { name: "Slate" }, [id]);
    await createTag(blog.db, { name: "Moss" }, []);
    await createTag(blog.db, { name: "Roofs" }, [id]);
    expect((await rename(slate.id, "moss")).data).toEqual({ renameTag: { name: "moss" } });
    expect((await rename(slate.id, "ROOFS")).errors[0].extensions.code).toBe("CONFLICT");
    expect((await rename(slate.id, "MOSS")).data).toEqual({ renameTag: { name: "MOSS" } });
    expect((await rename(slate.id, " ")).errors[0].extensions.code).toBe("BAD_USER_INPUT");
    expect((await rename(id, "Other")).errors[0].message).toBe("tag not found");
  });

  test("merge a tag into another; each post keeps one of them, and its updatedAt", async () => {
    const [one, other] = [await writeOne(), await writeOne()];
    const before = await blog.db.post.findMany({ orderBy: { id: "asc" } });
    const [slate, slates] = [
      await createTag(blog.db, { name: "Slate" }, [one]),
      await createTag(blog.db, { name: "Slates" }, [one, other]),
    ];
    expect((await merge(slates.id, slate.id)).data.mergeTags).toEqual({ name: "Slate", postCount: 2 });
    expect(await tagNames()).toEqual(["Slate"]);
    expect(await blog.db.post.findMany({ orderBy: { id: "asc" } })).toEqual(before);
    expect((await merge(slates.id, slate.id)).errors[0].message).toBe("tag not found");
    expect((await merge(slate.id, slate.id)).data.mergeTags.postCount).toBe(2);
  });

  test("need not delete tags: a job deletes those without posts", async () => {
    await createTag(blog.db, { name: "Slate" }, [await writeOne()]);
    await createTag(blog.db, { name: "Moss" }, []);
    await removeUnusedTags(blog.services);
    expect((await blog.db.tag.findMany()).map(({ name }) => name)).toEqual(["Slate"]);
  });
});
