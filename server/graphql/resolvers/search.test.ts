import { beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createCategory, createComment, createPost, createUser } from "../../testing/factories.ts";

let blog: TestApp;
let admin: string;
let member: string;
const dayOf = (n: number) => new Date(Date.UTC(2020, 0, n));

beforeAll(async () => {
  blog = await startTestApp();
  const person = (username: string, email: string, n: number) =>
    createUser(blog.db, { username, email, createdAt: dayOf(n) });
  const ada = await blog.signUp({
    ...{ username: "Ada", email: "root@example.com", isAdmin: true, createdAt: dayOf(1) },
  });
  const maya = await person("maya", "maya_w@example.org", 2);
  const zoe = await person("Zoë", "zoe%20@example.com", 3);
  const jose = await blog.signUp({ username: "José", email: "mayaxw@example.com", createdAt: dayOf(4) });
  [admin, member] = [ada.token, jose.token];
  const write = (n: number, userId: string, title: string, description: string) =>
    createPost(blog.db, {
      ...{ id: `00000000-0000-4000-8000-00000000000${n}`, userId, title, description },
      ...{ category: n < 4 ? "Craft" : "Places", createdAt: dayOf(n) },
    });
  await write(1, maya.id, "Slate", "It splits where it was laid down.");
  await write(2, zoe.id, "apple", "A hundred percent, written 100% here.");
  await write(3, jose.id, "Écume", "snake_case and C:\\temp");
  await write(4, maya.id, "slate", "Roofs of the “north”—coast.");
  await write(5, jose.id, "SLATE", "A thousand, written 1000 here.");
  const last = await write(6, zoe.id, "Zebra", "snakeXcase and C:temp");
  const addComment = (text: string, userId: string, n: number) =>
    createComment(blog.db, { postId: last.id, userId, text, createdAt: dayOf(n) });
  await addComment("Beautiful slate", zoe.id, 1);
  await addComment("100% agreed", jose.id, 2);
  await addComment("agreed, 100 times", maya.id, 3);
  for (const [n, title] of ["Craft", "Places", "artisans", "50_50"].entries())
    await createCategory(blog.db, title, dayOf(n + 1));
});

type Args = Record<string, unknown>;
const list = (name: string, fields: string) => async (args: Args, token: string | null) => {
  const query = `query ($search: String, $sort: String, $page: Int, $first: Int = 10) {
    ${name}(search: $search, sort: $sort, page: $page, first: $first) { ${fields} } }`;
  return (await blog.gql(query, args, token)).body;
};
const lists = {
  posts: list("posts", "totalCount pages nodes { name: id }"),
  users: list("users", "totalCount pages nodes { name: username }"),
  comments: list("comments", "totalCount pages nodes { name: text }"),
  categories: list("categories", "name: title"),
};
type Name = keyof typeof lists;

async function namesIn(name: Name, args: Args): Promise<string[]> {
  const { data, errors } = await lists[name](args, admin);
  expect(errors).toBeUndefined();
  const nodes = data[name].nodes ?? data[name];
  // The digit in which the ids of posts differ.
  return nodes.map((node: { name: string }) => node.name.replace(/^0{8}.*(?=\d$)/, ""));
}

test.each<[Name, string, string[]]>([
  ["posts", "slate", ["5", "4", "1"]],
  ["posts", "  SLATE\n", ["5", "4", "1"]],
  ["posts", "north coast", ["4"]],
  ["posts", "“north”—coast", ["4"]],
  ["posts", "north-coast", []],
  ["posts", "écume", ["3"]],
  ["posts", "no such thing", []],
  ["users", "maya", ["José", "maya"]],
  ["users", "JOSÉ", ["José"]],
  ["users", "EXAMPLE.ORG", ["maya"]],
  ["comments", "agreed", ["agreed, 100 times", "100% agreed"]],
  ["comments", "zoë", ["Beautiful slate"]],
  ["comments", "José", ["100% agreed"]],
  ["categories", "AR", ["artisans"]],
  ["categories", "t", ["Craft", "artisans"]],
])("among %s, %j finds %j", async (name, search, found) => {
  expect(await namesIn(name, { search })).toEqual(found);
});

test.each<[Name, string, string[]]>([
  ["posts", "100%", ["2"]],
  ["posts", "snake_case", ["3"]],
  ["posts", "C:\\temp", ["3"]],
  ["users", "%", ["Zoë"]],
  ["users", "maya_w", ["maya"]],
  ["comments", "100%", ["100% agreed"]],
  ["comments", "%", ["100% agreed"]],
  ["categories", "_", ["50_50"]],
])("among %s, %j is matched literally", async (name, search, found) => {
  expect(await namesIn(name, { search })).toEqual(found);
});

test.each(["%", "_", "\\", "% - _", "…"])("H1: %j has no searchable word for posts", async (search) => {
  const { body } = await blog.gql("query ($search: String) { posts(search: $search) { totalCount } }", {
    search,
  });
  const message = '"search" must contain a letter or a digit';
  expect(body.errors).toMatchObject([
    { message, extensions: { code: "BAD_USER_INPUT", fields: { search: message } } },
  ]);
});

test.each(["", "   ", null, undefined])("searching for %j does not filter", async (search) => {
  expect(await namesIn("posts", { search })).toHaveLength(6);
  expect(await namesIn("categories", { search })).toHaveLength(4);
});

const upwards: [Name, string, string[]][] = [
  ["posts", "createdAt", ["1", "2", "3", "4", "5", "6"]],
  ["posts", "title", ["2", "1", "4", "5", "6", "3"]],
  ["posts", "author", ["3", "5", "1", "4", "2", "6"]],
  ["users", "createdAt", ["Ada", "maya", "Zoë", "José"]],
  ["users", "username", ["Ada", "José", "maya", "Zoë"]],
  ["users", "email", ["maya", "José", "Ada", "Zoë"]],
  ["comments", "createdAt", ["Beautiful slate", "100% agreed", "agreed, 100 times"]],
  ["comments", "author", ["100% agreed", "agreed, 100 times", "Beautiful slate"]],
  ["comments", "text", ["100% agreed", "agreed, 100 times", "Beautiful slate"]],
  ["categories", "createdAt", ["Craft", "Places", "artisans", "50_50"]],
  ["categories", "title", ["50_50", "artisans", "Craft", "Places"]],
];
test.each(upwards)("%s by %s, ascending and descending", async (name, sort, sorted) => {
  expect(await namesIn(name, { sort })).toEqual(sorted);
  expect(await namesIn(name, { sort: `-${sort}` })).toEqual(sorted.toReversed());
});

test("categories by number of posts", async () => {
  await blog.db.post.update({
    where: { id: "00000000-0000-4000-8000-000000000003" },
    data: { category: "Places" },
  });
  const counts = await namesIn("categories", { sort: "-postCount" });
  expect(counts.slice(0, 2)).toEqual(["Places", "Craft"]);
  expect((await namesIn("categories", { sort: "postCount" })).slice(2)).toEqual(["Craft", "Places"]);
});

test.each<[Name, number]>([
  ["posts", 3],
  ["comments", 2],
  ["users", 3],
])("the counts of %s follow the search", async (name, totalCount) => {
  const search = { posts: "slate", comments: "agreed", users: "example.com" }[name as string];
  const { data } = await lists[name]({ search, first: 2 }, admin);
  expect(data[name]).toMatchObject({ totalCount, pages: Math.ceil(totalCount / 2) });
});

test("categoriesCount counts all or the matching categories", async () => {
  const { body } = await blog.gql(`{ all: categoriesCount some: categoriesCount(search: " ART ") }`);
  expect(body.data).toEqual({ all: 4, some: 1 });
});

test("a search combines with other filters", async () => {
  const read = async (filter: string) =>
    (await blog.gql(`{ posts(search: "slate", ${filter}) { totalCount } }`)).body.data.posts.totalCount;
  expect(await read('category: "Places"')).toBe(2);
  expect(await read('author: "00000000-0000-4000-8000-000000000001"')).toBe(0);
});

test.each<[Name, string]>([
  ["posts", "title"],
  ["posts", "-author"],
  ["users", "email"],
  ["comments", "-author"],
  ["categories", "-postCount"],
])("the pages of %s by %s hold each row once", async (name, sort) => {
  const all = await namesIn(name, { sort, first: 100 });
  const pages: string[] = [];
  for (let page = 1; page <= all.length; page++)
    pages.push(...(await namesIn(name, { sort, page, first: 1 })));
  expect(pages).toEqual(all);
  expect(await namesIn(name, { sort, page: all.length + 1, first: 1 })).toEqual([]);
});

test("rows with equal keys keep their order on every page", async () => {
  const userId = (await createUser(blog.db, { username: "equal" })).id;
  const ids = [...Array(12).keys()].map((n) => `00000000-0000-4000-9000-0000000000${10 + n}`);
  for (const id of ids.toReversed()) await createPost(blog.db, { id, userId, title: "Equal" });
  const read = async (page: number, sort: string) => {
    const query =
      'query ($page: Int, $sort: String) { posts(search: "Equal", page: $page, sort: $sort) { nodes { id } } }';
    return (await blog.gql(query, { page, sort })).body.data.posts.nodes.map(
      (node: { id: string }) => node.id,
    );
  };
  const readAll = async (sort: string) =>
    (await Promise.all([1, 2, 3, 4].map((page) => read(page, sort)))).flat();
  expect(await readAll("title")).toEqual(ids);
  expect(await readAll("-author")).toEqual(ids.toReversed());
  await blog.db.user.delete({ where: { id: userId } });
});

test("cursors page through search results, also oldest first", async () => {
  const pages: string[] = [];
  for (let after: string | null = null, more = true; more;) {
    const query = `query ($after: String) { posts(search: "slate", sort: "createdAt", first: 2, after: $after) {
      nodes { id } pageInfo { endCursor hasNextPage } } }`;
    const { nodes, pageInfo }: any = (await blog.gql(query, { after })).body.data.posts;
    pages.push(...nodes.map((node: { id: string }) => node.id.at(-1)));
    [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
  }
  expect(pages).toEqual(["1", "4", "5"]);
});

test("a sorted list supports last", async () => {
  const { body } = await blog.gql(
    `{ posts(sort: "title", last: 2) { nodes { title } pageInfo { hasPreviousPage } } }`,
  );
  expect(body.data.posts).toEqual({
    ...{ nodes: [{ title: "Zebra" }, { title: "Écume" }], pageInfo: { hasPreviousPage: true } },
  });
});

describe("invalid searches are refused:", () => {
  const choices = {
    posts: "createdAt, -createdAt, title, -title, author, -author",
    users: "createdAt, -createdAt, username, -username, email, -email",
    comments: "createdAt, -createdAt, author, -author, text, -text",
    categories: "createdAt, -createdAt, title, -title, postCount, -postCount",
  };
  const names = Object.keys(choices) as Name[];
  const expectRefusal = async (name: Name, args: Args, field: string, complaint: string) => {
    const message = `"${field}" ${complaint}`;
    const { errors } = await lists[name](args, admin);
    const extensions = { code: "BAD_USER_INPUT", fields: { [field]: message } };
    expect(errors).toMatchObject([{ message, extensions }]);
  };

  test.each(names)("%s with an unknown sort key", async (name) => {
    for (const sort of ["passwordHash", "", "-", "--createdAt", "title ", "createdAt-", "constructor"])
      await expectRefusal(name, { sort }, "sort", `must be one of ${choices[name]}`);
  });

  test.each(names)("%s with invalid characters or too long a text", async (name) => {
    await expectRefusal(name, { search: "a\0b" }, "search", "contains invalid characters");
    await expectRefusal(name, { search: "\ud800" }, "search", "contains invalid characters");
    const complaint = "length must be less than or equal to 100 characters long";
    await expectRefusal(name, { search: "a".repeat(101) }, "search", complaint);
    expect(await namesIn(name, { search: ` ${"z".repeat(100)} ` })).toEqual([]);
  });

  test.each(["users", "comments"] as const)("%s for all but admins, whatever the search", async (name) => {
    const args = { search: "\0", sort: "nothing" };
    expect((await lists[name](args, null)).errors).toMatchObject([
      { extensions: { code: "UNAUTHENTICATED" } },
    ]);
    expect((await lists[name](args, member)).errors).toMatchObject([{ extensions: { code: "FORBIDDEN" } }]);
  });

  test("cursors in another order than creation", async () => {
    const cursor = Buffer.from("1_00000000-0000-4000-8000-000000000001").toString("base64url");
    for (const window of [`after: "${cursor}"`, `before: "${cursor}", last: 2`]) {
      const { body } = await blog.gql(`{ posts(sort: "title", ${window}) { nodes { id } } }`);
      const message = '"after" and "before" need the order of creation; sorted otherwise, a list has pages';
      expect(body.errors).toMatchObject([{ message, extensions: { code: "BAD_USER_INPUT" } }]);
    }
  });

  test.each([
    ["page: 0", '"page" must be a positive whole number'],
    ["first: 0", '"first" must be between 1 and 100'],
    ["first: 101", '"first" must be between 1 and 100'],
  ])("categories(%s)", async (window, message) => {
    const { body } = await blog.gql(`{ categories(${window}) { id } }`);
    expect(body.errors).toMatchObject([{ message, extensions: { code: "BAD_USER_INPUT" } }]);
  });
});

test("visitors may search posts and categories", async () => {
  expect((await lists.posts({ search: "slate" }, null)).data.posts.totalCount).toBe(3);
  expect((await lists.categories({ search: "craft" }, null)).data.categories).toEqual([{ name: "Craft" }]);
});

test("an email address finds nothing for users who may not see addresses", async () => {
  const { body } = await blog.gql(`{ posts(search: "zoe%20@example.com") { totalCount } }`, {}, member);
  expect(body.data.posts.totalCount).toBe(0);
});

test.each([
  ["sla", ["5", "4", "1"]],
  ["roofs slate", ["4"]],
  ["case", ["3"]],
  ["co north", ["4"]],
  ["late", []],
  ["percent 100%", ["2"]],
])("post search matches prefixes of words: %j", async (search, found) => {
  expect(await namesIn("posts", { search })).toEqual(found);
});
