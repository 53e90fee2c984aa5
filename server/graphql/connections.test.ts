import { beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createCategory, createComment, createPost, createUser } from "../testing/factories.ts";

let blog: TestApp;
let authors: { id: string }[];
const DAY = 24 * 60 * 60 * 1000;
const dayOf = (n: number) => new Date(Date.UTC(2020, 0, 1) + n * DAY);

// Posts 4 and 5 share a timestamp, to test the tie-break by id.
beforeAll(async () => {
  blog = await startTestApp();
  authors = [
    await createUser(blog.db, { username: "Maya" }),
    await createUser(blog.db, { username: "Noor" }),
  ];
  for (let n = 0; n < 10; n++) {
    const userId = authors[n % 2]!.id;
    const createdAt = dayOf(n === 5 ? 4 : n);
    const category = n % 2 === 0 ? "Craft" : "Places";
    const id = `00000000-0000-4000-8000-00000000000${n}`;
    const post = await createPost(blog.db, { id, title: String(n), userId, category, createdAt });
    for (let index = 1; index <= n; index++)
      await createComment(blog.db, {
        postId: post.id,
        userId,
        text: `${n}.${index}`,
        createdAt: dayOf(index),
      });
  }
});

const window =
  "$page: Int, $first: Int, $after: String, $last: Int, $before: String, $category: String, $author: ID";
const passed = window.replace(/\$(\w+): \w+/g, "$1: $$$1");
const document = `query (${window}) { posts(${passed}) {
  nodes { title } edges { cursor node { title } } totalCount pages
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;

async function readPosts(variables: object) {
  const { body } = await blog.gql(document, variables);
  expect(body.errors).toBeUndefined();
  const { nodes, edges, pageInfo, ...counts } = body.data.posts;
  expect(edges.map((edge: any) => edge.node)).toEqual(nodes);
  expect(pageInfo.startCursor).toBe(edges.at(0)?.cursor ?? null);
  expect(pageInfo.endCursor).toBe(edges.at(-1)?.cursor ?? null);
  const titles: string = nodes.map((node: any) => node.title).join("");
  const more = `${pageInfo.hasPreviousPage ? "<" : "|"}${pageInfo.hasNextPage ? ">" : "|"}`;
  return {
    titles,
    more,
    ...counts,
    start: pageInfo.startCursor as string,
    end: pageInfo.endCursor as string,
  };
}

test.each([
  [{}, "987", "|>"],
  [{ page: 1 }, "987", "|>"],
  [{ page: 2 }, "654", "<>"],
  [{ page: 4 }, "0", "<|"],
  [{ page: 5 }, "", "<|"],
  [{ page: 2, first: 4 }, "5432", "<>"],
  [{ first: 10 }, "9876543210", "||"],
  [{ first: 100 }, "9876543210", "||"],
  [{ last: 2 }, "10", "<|"],
  [{ last: 10 }, "9876543210", "||"],
])("the arguments %o select the posts %s", async (variables, titles, more) => {
  expect(await readPosts(variables)).toMatchObject({ titles, more, totalCount: 10 });
});

test("the number of pages follows from the page size", async () => {
  expect((await readPosts({})).pages).toBe(4);
  expect((await readPosts({ first: 5 })).pages).toBe(2);
  expect((await readPosts({ last: 9 })).pages).toBe(2);
  expect(await readPosts({ category: "None" })).toMatchObject({ titles: "", totalCount: 0, pages: 0 });
});

test("forward pagination visits each post once", async () => {
  const pages: string[] = [];
  for (let after: string | undefined, more = ">"; more.endsWith(">");) {
    const read = await readPosts({ first: 3, after });
    pages.push(read.titles);
    ({ end: after, more } = read);
  }
  expect(pages).toEqual(["987", "654", "321", "0"]);
});

test("backward pagination visits each post once, in the list's order", async () => {
  const pages: string[] = [];
  for (let before: string | undefined, more = "<"; more.startsWith("<");) {
    const read = await readPosts({ last: 4, before });
    pages.push(read.titles);
    ({ start: before, more } = read);
  }
  expect(pages).toEqual(["3210", "7654", "98"]);
});

test("a cursor stays valid when posts are inserted before it or its own post is deleted", async () => {
  const { end } = await readPosts({ first: 2 });
  const newer = await createPost(blog.db, { title: "N", userId: authors[0]!.id, createdAt: dayOf(20) });
  expect((await readPosts({ after: end })).titles).toBe("765");
  expect((await readPosts({ first: 2 })).titles).toBe("N9");
  const { end: ofNewer } = await readPosts({ first: 1 });
  await blog.db.post.delete({ where: { id: newer.id } });
  expect((await readPosts({ after: ofNewer })).titles).toBe("987");
});

test("filters by category and author apply to pages and counts", async () => {
  expect(await readPosts({ category: "Craft" })).toMatchObject({ titles: "864", totalCount: 5, pages: 2 });
  expect(await readPosts({ author: authors[1]!.id, page: 2 })).toMatchObject({ titles: "31", more: "<|" });
  expect(await readPosts({ author: authors[1]!.id, category: "Craft" })).toMatchObject({ totalCount: 0 });
});

describe("invalid arguments are refused", () => {
  const mixture = '"first" and "after" exclude "last" and "before"';
  const cursor = Buffer.from("1_00000000-0000-4000-8000-000000000001").toString("base64url");
  test.each([
    [{ first: 1, last: 1 }, mixture],
    [{ first: 1, before: cursor }, mixture],
    [{ after: cursor, last: 1 }, mixture],
    [{ after: cursor, before: cursor }, mixture],
    [{ page: 1, after: cursor }, '"page" excludes cursors'],
    [{ page: 1, before: cursor }, '"page" excludes cursors'],
    [{ page: 1, last: 3 }, '"page" excludes cursors'],
    [{ page: 0 }, '"page" must be a positive whole number'],
    [{ page: -1 }, '"page" must be a positive whole number'],
    [{ page: 2_147_483_647 }, '"page" must be a positive whole number'],
    [{ first: 0 }, '"first" must be between 1 and 100'],
    [{ first: 101 }, '"first" must be between 1 and 100'],
    [{ last: 0 }, '"last" must be between 1 and 100'],
    [{ last: 101 }, '"last" must be between 1 and 100'],
    [{ after: "nonsense" }, "invalid cursor"],
    [{ after: "" }, "invalid cursor"],
    [{ before: Buffer.from("1_2").toString("base64url") }, "invalid cursor"],
    [{ author: "12-34" }, "invalid id"],
  ])("%o: %s", async (variables, message) => {
    const { body } = await blog.gql(document, variables);
    expect(body).toMatchObject({ data: null, errors: [{ message, extensions: { code: "BAD_USER_INPUT" } }] });
  });
});

test("each of many posts gets its own page of comments, oldest first", async () => {
  const { body } = await blog.gql(`{ posts(first: 10) { nodes { title commentCount
    two: comments(first: 2) { nodes { text } pageInfo { hasNextPage } totalCount pages }
    last: comments(last: 1) { nodes { text } pageInfo { hasPreviousPage } }
    page: comments(page: 2) { nodes { text } } } } }`);
  for (const { title, ...post } of body.data.posts.nodes) {
    const all = Array.from({ length: Number(title) }, (_, index) => ({ text: `${title}.${index + 1}` }));
    expect(post).toEqual({
      commentCount: all.length,
      two: {
        ...{ nodes: all.slice(0, 2), pageInfo: { hasNextPage: all.length > 2 } },
        ...{ totalCount: all.length, pages: Math.ceil(all.length / 2) },
      },
      last: { nodes: all.slice(-1), pageInfo: { hasPreviousPage: all.length > 1 } },
      page: { nodes: all.slice(3, 6) },
    });
  }
});

test("categories have pages with cursors, in order of creation or in another one", async () => {
  for (const title of ["Wood", "Air", "Stone", "Earth"]) await createCategory(blog.db, title);
  const read = async (args: string) =>
    (
      await blog.gql(
        `{ categoryConnection(${args}) { nodes { title } totalCount pages pageInfo { endCursor } } }`,
      )
    ).body.data.categoryConnection;
  const titlesOf = ({ nodes }: any) => nodes.map(({ title }: any) => title);
  const first = await read("first: 3");
  expect([titlesOf(first), first.totalCount, first.pages]).toEqual([["Wood", "Air", "Stone"], 4, 2]);
  expect(titlesOf(await read(`after: "${first.pageInfo.endCursor}"`))).toEqual(["Earth"]);
  expect(titlesOf(await read('sort: "title", search: "a", page: 1'))).toEqual(["Air", "Earth"]);
});

test("comments continue after a cursor", async () => {
  const read = async (after: string | null) => {
    const document = `query ($after: String) { post(id: "00000000-0000-4000-8000-000000000007") {
      comments(first: 3, after: $after) { nodes { text } pageInfo { endCursor hasNextPage } } } }`;
    const { nodes, pageInfo } = (await blog.gql(document, { after })).body.data.post.comments;
    return { texts: nodes.map((node: any) => node.text), ...pageInfo };
  };
  const first = await read(null);
  expect(first.texts).toEqual(["7.1", "7.2", "7.3"]);
  const second = await read(first.endCursor);
  expect(second.texts).toEqual(["7.4", "7.5", "7.6"]);
  expect(await read(second.endCursor)).toMatchObject({ texts: ["7.7"], hasNextPage: false });
});

test("a page of comments ends before its texts have more characters than are asked for", async () => {
  const read = async (args: string, fields = "nodes { text }") => {
    const document = `{ post(id: "00000000-0000-4000-8000-000000000007") {
      comments(${args}) { ${fields} totalCount pageInfo { endCursor hasNextPage } } } }`;
    const { data, errors } = (await blog.gql(document)).body;
    return errors ? errors[0].message : data.post.comments;
  };
  const texts = ({ nodes }: any) => nodes.map((node: any) => node.text);
  const first = await read("first: 50, characters: 11");
  expect([texts(first), first.totalCount, first.pageInfo.hasNextPage]).toEqual([
    ["7.1", "7.2", "7.3"],
    7,
    true,
  ]);
  expect(await read("first: 50, characters: 11", "nodes { id }")).toMatchObject({ pageInfo: first.pageInfo });
  const after = `after: "${first.pageInfo.endCursor}"`;
  const second = await read(`first: 50, characters: 1, ${after}`);
  expect([texts(second), second.pageInfo.hasNextPage]).toEqual([["7.4"], true]);
  const rest = await read(`first: 50, characters: 12, ${after}`);
  expect([texts(rest), rest.pageInfo.hasNextPage]).toEqual([["7.4", "7.5", "7.6", "7.7"], false]);
  for (const args of ["characters: 0", "page: 1, characters: 9", "last: 3, characters: 9"])
    expect(await read(args)).toMatch(/^"characters" is at least 1/);
});

test("each of many authors gets its own page of posts, newest first", async () => {
  const { body } = await blog.gql(`{ posts(first: 2) { nodes { user { username
    posts(first: 2) { nodes { title } totalCount pageInfo { hasNextPage } }
    early: posts(last: 2) { nodes { title } } } } } }`);
  const titles = ({ nodes }: any) => nodes.map((node: any) => node.title).join("");
  expect(
    body.data.posts.nodes.map(({ user }: any) => [user.username, titles(user.posts), titles(user.early)]),
  ).toEqual([
    ["Noor", "97", "31"],
    ["Maya", "86", "20"],
  ]);
  expect(body.data.posts.nodes[0].user.posts).toMatchObject({
    totalCount: 5,
    pageInfo: { hasNextPage: true },
  });
});
