import { beforeAll, describe, expect, test, vi } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createCategory, createPost, createUser } from "../../testing/factories.ts";
import { indexPending } from "./search-index.ts";

let blog: TestApp;
let [maya, tomas] = ["", ""];

beforeAll(async () => {
  blog = await startTestApp();
  maya = (await createUser(blog.db, { username: "Maya Lindqvist", bio: "Mends books, mostly old." })).id;
  tomas = (await createUser(blog.db, { username: "Tomás Arrieta" })).id;
  await createUser(blog.db, { username: "Silent Slate" });
  for (const title of ["Craft", "Slate work"]) await createCategory(blog.db, title);
  await write("Roofs", "Slate is laid from below. A roof of slate lasts.", { day: 1 });
  const { id: postId } = await write("On slate", "It splits where it was laid down.", { day: 2 });
  const bed = await blog.db.tag.create({ data: { name: "Bed", nameKey: "bed" } });
  await blog.db.postTag.create({ data: { postId, tagId: bed.id, position: 0 } });
  await write("Slate again", "It is still there.", { day: 3 });
  await write("Crème brûlée", "Sugar, burnt.", { day: 4, userId: tomas });
  await write("A wall", "Nothing but moss, and the moss is green.", { day: 5, category: "Slate work" });
});

type Traits = { day: number; userId?: string; category?: string };
const write = (title: string, description: string, { day, ...traits }: Traits) =>
  createPost(blog.db, {
    ...{ userId: maya, title, description, createdAt: new Date(Date.UTC(2026, 0, day)) },
    ...traits,
  });

const FIELDS = `totalCount isTotalExact isNearest pages pageInfo { hasNextPage hasPreviousPage endCursor }
  edges { cursor title { text isMatch } excerpt { text isMatch } node { __typename } }`;

async function ask(query: string, args = "") {
  const { body } = await blog.gql(`query ($query: String!) { search(query: $query ${args}) { ${FIELDS} } }`, {
    query,
  });
  return body;
}
const joined = (parts: { text: string }[]) => parts.map(({ text }) => text).join("");
async function titles(query: string): Promise<string[]> {
  const { data, errors } = await ask(query);
  expect(errors).toBeUndefined();
  return data.search.edges.map(({ title }: any) => joined(title));
}

test("texts of posts are read for excerpts and nodes only", async () => {
  const read = vi.spyOn(blog.services.queries, "postsById");
  const readsText = async (fields: string) => {
    const { body } = await blog.gql(`{ search(query: "slate") { edges { ${fields} } } }`);
    expect(body.errors).toBeUndefined();
    return read.mock.calls.at(-1)?.[1].description === true;
  };
  expect(await readsText("title { text }")).toBe(false);
  expect(await readsText("excerpt { text }")).toBe(true);
  expect(await readsText("node { ... on Post { description } }")).toBe(true);
  read.mockRestore();
});

describe("the order of results", () => {
  test("is categories and people, titles, texts; the newer of two alike first", async () => {
    expect(await titles("slate")).toEqual(["Slate work", "Slate again", "On slate", "A wall", "Roofs"]);
  });

  test("distinguishes the kinds of results", async () => {
    const { data } = await ask("maya");
    expect(data.search.edges[0].node.__typename).toBe("Profile");
    expect(joined(data.search.edges[0].excerpt)).toBe("Mends books, mostly old.");
  });
});

test("a tag that some post carries is found by its words, without an excerpt", async () => {
  await blog.db.tag.create({ data: { name: "Flower bed", nameKey: "flower bed" } });
  const { data } = await ask("bed");
  const [first] = data.search.edges;
  expect([data.search.totalCount, first.node.__typename, joined(first.title)]).toEqual([1, "Tag", "Bed"]);
  expect([first.title[0].isMatch, first.excerpt]).toEqual([true, []]);
});

test.each([
  ["accents and case", "CREME BRULEE", ["Crème brûlée"]],
  ["accents of the query", "máya", ["Maya Lindqvist", "A wall", "Slate again", "On slate", "Roofs"]],
  ["beginnings of words", "spl", ["On slate"]],
  ["several words in any order", "down splits", ["On slate"]],
  ["a phrase", '"moss is green"', ["A wall"]],
  ["exclusion", "slate -laid", ["Slate again", "A wall"]],
  ["exclusion of a phrase", 'slate -"laid down"', ["Slate again", "A wall", "Roofs"]],
  ["an author", "author:tomas", ["Crème brûlée"]],
  ["exclusion among an author's posts", 'author:maya -slate -"crème brûlée"', []],
  ["an author by two words", 'sugar author:"tomas arrieta"', ["Crème brûlée"]],
  ["a category", 'category:"slate work"', ["A wall"]],
  ["an author without such posts", "slate author:tomas", []],
  ["a tag in any spelling", "TAG:Béd", ["On slate"]],
  ["a tag and a word", "tag:bed moss", []],
  ["misspelt titles", "creme brulle", ["Crème brûlée"]],
  ["a colon without a value", "author:", []],
  ["quotes that do not end", '"moss is', ["A wall"]],
  ["the marks of SQL and tsquery", "moss' & | ! ( ) <-> :* \\ '' --", ["A wall"]],
])("finds by %s: %s", async (_what, query, expected) => {
  const found = await titles(query);
  expect(found).toEqual(expected);
});

test("an account without posts is not found", async () => {
  expect(await titles("silent")).toEqual([]);
});

test("where nothing has all words, posts with some of them are offered", async () => {
  const { data } = await ask("moss on saturn");
  expect(data.search).toMatchObject({ isNearest: true, totalCount: 2, isTotalExact: true });
  expect((await ask("slate")).data.search.isNearest).toBe(false);
  expect((await ask('"green moss"')).data.search.isNearest).toBe(true);
  expect((await ask("xyzzy")).data.search).toMatchObject({ isNearest: false, totalCount: 0, edges: [] });
});

test("matches are marked in the title and in the part of the text that fits", async () => {
  const far = `${"Words before it. ".repeat(40)}Then **Crème** fraîche, and an end. ${"Words after it. ".repeat(40)}`;
  const { id } = await write("Fraîche", far, { day: 6 });
  const { data } = await ask("fraiche creme");
  const [edge] = data.search.edges;
  expect(edge.title).toEqual([{ text: "Fraîche", isMatch: true }]);
  const matches = edge.excerpt.filter(({ isMatch }: any) => isMatch).map(({ text }: any) => text);
  expect(matches).toEqual(["Crème", "fraîche"]);
  expect(joined(edge.excerpt)).toMatch(/^….{150,}…$/);
  await blog.db.post.delete({ where: { id } });
  expect(await titles("fraiche")).not.toContain("Fraîche");
});

test("pages by number and by cursor hold each result once", async () => {
  const all = await titles("slate");
  const byPage = await Promise.all([1, 2, 3].map((page) => ask("slate", `, first: 2, page: ${page}`)));
  expect(byPage.flatMap(({ data }) => data.search.edges.map(({ title }: any) => joined(title)))).toEqual(all);
  expect(byPage[0]?.data.search).toMatchObject({ pages: 3, totalCount: 5 });
  const { pageInfo } = byPage[0]?.data.search;
  expect(pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  const { data } = await ask("slate", `, first: 3, after: "${pageInfo.endCursor}"`);
  expect(data.search.edges.map(({ title }: any) => joined(title))).toEqual(all.slice(2));
  expect(data.search.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  expect((await ask("slate", ", page: 2147483647")).data.search.edges).toEqual([]);
});

test.each([
  ["", "", '"query" must contain a letter or a digit'],
  ["… - !", "", '"query" must contain a letter or a digit'],
  ["-moss", "", '"query" must contain a letter or a digit'],
  ["a\0b", "", '"query" contains invalid characters'],
  ["x".repeat(201), "", '"query" length must be less than or equal to 200 characters long'],
  ["a ".repeat(17), "", '"query" must have at most 16 words'],
  ["moss", ", first: 0", '"first" must be between 1 and 100'],
  ["moss", ", first: 101", '"first" must be between 1 and 100'],
  ["moss", ", page: 0", '"page" must be a positive whole number'],
  ["moss", ', after: "x"', "invalid cursor"],
  ["moss", ', page: 1, after: "x"', '"page" excludes cursors'],
])("%j with %j is refused", async (query, args, message) => {
  expect((await ask(query, args)).errors).toMatchObject([
    { message, extensions: { code: "BAD_USER_INPUT" } },
  ]);
});

test("drafts are never found", async () => {
  await blog.db.draft.create({
    data: { userId: maya, title: "Obsidian", description: "Obsidian. ".repeat(9) },
  });
  expect(await titles("obsidian")).toEqual([]);
});

test("a post is found as it is now, and by its author's present name", async () => {
  const { id } = await write("Granite", "Hard, and heavy.", { day: 7, userId: tomas });
  await blog.db.post.update({ where: { id }, data: { title: "Basalt" } });
  expect(await titles("granite")).toEqual([]);
  expect(await titles("basalt")).toEqual(["Basalt"]);
  await blog.db.user.update({ where: { id: tomas }, data: { username: "Zebedee", usernameKey: "zebedee" } });
  while (await indexPending(blog.services));
  expect((await ask("basalt zebedee")).data.search).toMatchObject({ isNearest: false });
  expect(await blog.db.unindexedPost.count()).toBe(0);
});

test("an interrupted backfill continues, and indexes what has changed meanwhile", async () => {
  const { db, services } = blog;
  const { id } = await write("Marble", "White, and veined.", { day: 8 });
  await blog.pool.query(`DELETE FROM "PostSearch"; INSERT INTO "UnindexedPost" SELECT id FROM "Post"`);
  const [read] = (await services.queries.unindexedPosts({ posts: 100, bytes: 1e6 })).filter(
    (post) => post.id === id,
  );
  await db.post.update({ where: { id }, data: { title: "Alabaster" } });
  // The job read the post before the change.
  await services.writes.indexPosts([{ ...read!, spacedTitle: "Marble", spacedDescription: "White." }]);
  expect(await titles("marble")).toEqual([]);
  while (await indexPending(services));
  expect(await titles("alabaster")).toEqual(["Alabaster"]);
  expect(await titles("slate")).toHaveLength(5);
});

test("the total is exact up to 1000", async () => {
  await blog.pool.query(`
    WITH made AS (INSERT INTO "Picture" (id, width, height, widths, placeholder)
      SELECT gen_random_uuid(), 3, 2, '{3}', 'data:' FROM generate_series(1, 1001) RETURNING id)
    INSERT INTO "Post" (id, title, description, category, "userId", "imageId", "updatedAt")
      SELECT gen_random_uuid(), 'Pebble', 'One of many.', 'Craft', '${maya}', id, now() FROM made`);
  expect((await ask("pebble")).data.search).toMatchObject({
    totalCount: 1000,
    isTotalExact: false,
    pages: 100,
  });
  await blog.pool.query(
    `DELETE FROM "Post" WHERE id = (SELECT id FROM "Post" WHERE title = 'Pebble' LIMIT 1)`,
  );
  expect((await ask("pebble")).data.search).toMatchObject({ totalCount: 1000, isTotalExact: true });
  await blog.db.post.deleteMany({ where: { title: "Pebble" } });
});

test("filters count once, and three of a kind at most", async () => {
  const message = async (query: string) => {
    const { body } = await blog.gql("query ($query: String!) { search(query: $query) { totalCount } }", {
      query,
    });
    return body.errors?.[0].message;
  };
  expect(await message("slate tag:a tag:A tag:a tag:b tag:c")).toBeUndefined();
  for (const name of ["author", "category", "tag"])
    expect(await message(`slate ${[..."abcd"].map((each) => `${name}:${each}`).join(" ")}`)).toBe(
      '"query" must have at most 3 filters of one kind',
    );
});

test("without pg_trgm everything is found but misspelt words", async () => {
  await blog.pool.query("DROP EXTENSION pg_trgm CASCADE");
  expect(await titles("slate")).toHaveLength(5);
  expect(await titles("brulle")).toEqual([]);
  await blog.pool.query("SELECT prepare_search()");
  expect(await titles("brulle")).toEqual(["Crème brûlée"]);
});
