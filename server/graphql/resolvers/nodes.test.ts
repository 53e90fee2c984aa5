import { beforeAll, describe, expect, test, vi } from "vitest";
import { bulkheadCounts } from "../../queue.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import {
  createCategory,
  createComment,
  createLike,
  createPost,
  createUser,
} from "../../testing/factories.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<typeof createUser>>;
let ids: Record<"post" | "comment" | "category" | "profile", string>;
const nobody = "00000000-0000-4000-8000-000000000000";
const day = (n: number) => new Date(Date.UTC(2020, 0, n));

beforeAll(async () => {
  blog = await startTestApp();
  maya = await createUser(blog.db, { username: "Maya" });
  const description = "# Moss\n\nIt *grows* & stays [here](https://moss.test) `<b>`.\n\n- one\n- two";
  const post = await createPost(blog.db, {
    ...{ userId: maya.id, title: "b moss", description, category: "Craft" },
    ...{ createdAt: day(1), updatedAt: day(9) },
  });
  for (const [title, n] of [
    ["A slate", 2],
    ["c fern", 3],
    ["a slate", 4],
  ] as const)
    await createPost(blog.db, {
      userId: maya.id,
      title,
      createdAt: day(n),
      updatedAt: day(n),
      category: "Food",
    });
  const comment = await createComment(blog.db, { postId: post.id, userId: maya.id, text: "Yes." });
  const category = await createCategory(blog.db, "Craft");
  ids = { post: post.id, comment: comment.id, category: category.id, profile: maya.id };
  for (let n = 1; n <= 5; n++) {
    const { id: userId } = await createUser(blog.db, { username: `Liker ${n}` });
    await createLike(blog.db, { postId: post.id, userId, createdAt: day(10 - n) });
  }
});

const read = async (query: string, variables = {}) => {
  const { body } = await blog.gql(query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
};

describe("node and nodes", () => {
  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Post { title user { username } }
    ... on Comment { text post { title } } ... on Category { title } ... on Profile { username posts { totalCount } } } }`;
  const found = () => [
    { __typename: "Category", id: ids.category, title: "Craft" },
    null,
    { __typename: "Post", id: ids.post, title: "b moss", user: { username: "Maya" } },
    { __typename: "Profile", id: ids.profile, username: "Maya", posts: { totalCount: 4 } },
    { __typename: "Comment", id: ids.comment, text: "Yes.", post: { title: "b moss" } },
    { __typename: "Post", id: ids.post, title: "b moss", user: { username: "Maya" } },
  ];

  test("find each type in the order of the ids, also by a compiled plan", async () => {
    const requested = [ids.category, nobody, ids.post, ids.profile, ids.comment, ids.post.toUpperCase()];
    for (let time = 0; time < 3; time++)
      expect((await read(query, { ids: requested })).nodes).toEqual(found());
    for (const id of Object.values(ids))
      expect((await read("query ($id: ID!) { node(id: $id) { id } }", { id })).node).toEqual({ id });
    expect((await read(`{ node(id: "${nobody}") { id } }`)).node).toBeNull();
  });

  test("never find a draft", async () => {
    const draft = await blog.db.draft.create({ data: { userId: maya.id, title: "Hidden" } });
    expect((await read(`{ node(id: "${draft.id}") { id } }`)).node).toBeNull();
  });

  test("refuse malformed ids and more than 100", async () => {
    const refused = async (requested: string[]) => (await blog.gql(query, { ids: requested })).body.errors[0];
    expect(await refused(["12-34"])).toMatchObject({ message: "invalid id" });
    expect((await refused(Array(101).fill(nobody))).message).toBe('"ids" may hold 100 ids');
    expect((await read(query, { ids: Array(100).fill(nobody) })).nodes).toHaveLength(100);
  });
});

describe("orderBy", () => {
  const query = `query ($field: PostOrderField!, $direction: OrderDirection!, $after: String, $before: String, $first: Int, $last: Int) {
    posts(orderBy: { field: $field, direction: $direction }, first: $first, last: $last, after: $after, before: $before) {
      nodes { title createdAt } pageInfo { endCursor startCursor hasNextPage hasPreviousPage } } }`;
  const expected: Record<string, string[]> = {
    CREATED_AT: ["b moss", "A slate", "c fern", "a slate"],
    UPDATED_AT: ["A slate", "c fern", "a slate", "b moss"],
    TITLE: ["a slate", "a slate", "b moss", "c fern"],
    AUTHOR: ["b moss", "A slate", "c fern", "a slate"],
  };

  test.each(Object.entries(expected))("%s has cursors in both directions", async (field, titles) => {
    for (const direction of ["ASC", "DESC"]) {
      const forward: string[] = [];
      for (let after: string | null = null, more = true; more;) {
        const { posts }: any = await read(query, { field, direction, first: 1, after });
        forward.push(...posts.nodes.map(({ title }: any) => title));
        [after, more] = [posts.pageInfo.endCursor, posts.pageInfo.hasNextPage];
      }
      const backward: string[] = [];
      for (let before: string | null = null, more = true; more;) {
        const { posts }: any = await read(query, { field, direction, last: 1, before });
        backward.unshift(...posts.nodes.map(({ title }: any) => title));
        [before, more] = [posts.pageInfo.startCursor, posts.pageInfo.hasPreviousPage];
      }
      expect(backward).toEqual(forward);
      const named = field === "TITLE" ? forward.map((title) => title.toLowerCase()) : forward;
      // Ids break the tie of equal authors, so only the set is known.
      if (field === "AUTHOR") expect(forward.toSorted()).toEqual(titles.toSorted());
      else expect(named).toEqual(direction === "ASC" ? titles : titles.toReversed());
    }
  });

  test("refuses the cursors of another order, and sort beside it", async () => {
    const { posts } = await read(query, { field: "TITLE", direction: "ASC", first: 1 });
    const after = posts.pageInfo.endCursor;
    for (const field of ["UPDATED_AT", "CREATED_AT"]) {
      const { body } = await blog.gql(query, { field, direction: "ASC", after });
      expect(body.errors[0].message).toBe("invalid cursor");
    }
    const mixed = await blog.gql(
      `{ posts(sort: "title", orderBy: { field: TITLE, direction: ASC }) { pages } }`,
    );
    expect(mixed.body.errors[0].message).toBe('"sort" excludes "orderBy"');
  });

  test.each(["0000-01-01T00:00:00Z", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00"])(
    "times beyond the years of the database are bad input: %s",
    async (time) => {
      const variables = { time };
      for (const field of ["posts(updatedAfter: $time)", "deletions(since: $time)"]) {
        const query = `query ($time: DateTime!) { ${field} { nodes { id } } }`;
        for (const { body } of [
          await blog.gql(query, variables),
          await blog.gql(`{ ${field.replace("$time", `"${time}"`)} { nodes { id } } }`),
        ])
          expect(body.errors).toMatchObject([{ extensions: { code: "BAD_USER_INPUT" } }]);
      }
    },
  );

  test("updatedAfter leaves out what changed before", async () => {
    const { posts } = await read(
      `{ posts(updatedAfter: "2020-01-03T00:00:00Z", orderBy: { field: UPDATED_AT, direction: ASC }) { totalCount nodes { title } } }`,
    );
    expect(posts).toEqual({ totalCount: 2, nodes: [{ title: "a slate" }, { title: "b moss" }] });
  });
});

test("likers are profiles, earliest like first, in pages", async () => {
  const query = `query ($id: ID!, $after: String) { post(id: $id) { likers(first: 2, after: $after) {
    totalCount nodes { username } pageInfo { endCursor hasNextPage } } } }`;
  const names: string[] = [];
  for (let after: string | null = null, more = true; more;) {
    const { likers }: any = (await read(query, { id: ids.post, after })).post;
    expect(likers.totalCount).toBe(5);
    names.push(...likers.nodes.map(({ username }: any) => username));
    [after, more] = [likers.pageInfo.endCursor, likers.pageInfo.hasNextPage];
  }
  expect(names).toEqual([5, 4, 3, 2, 1].map((n) => `Liker ${n}`));
});

test("a category has its posts; posts and profiles have their addresses and words", async () => {
  const { categories, post } = await read(
    `query ($id: ID!) { categories { posts(first: 1) { totalCount nodes { title user { url } } } }
      post(id: $id) { url descriptionText } }`,
    { id: ids.post },
  );
  const user = { url: `http://blog.test/profile/${maya.id}` };
  expect(categories[0].posts).toEqual({ totalCount: 1, nodes: [{ title: "b moss", user }] });
  expect(post.url).toBe(`http://blog.test/posts/details/${ids.post}`);
  await blog.db.postHtml.update({
    where: { postId: ids.post },
    data: {
      version: 1,
      html: '<h1 id="moss">Moss</h1>\n<p dir="auto">It <em>grows</em> &#x26; stays <a href="https://moss.test">here</a> <code>&#x3C;b></code>.</p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>',
    },
  });
  const again = await read("query ($id: ID!) { post(id: $id) { descriptionText } }", { id: ids.post });
  expect(again.post.descriptionText).toBe("Moss\nIt grows & stays here <b>.\none\ntwo");
});

test("after a long text a network reads those of one request at a time, and other fields beside them", async () => {
  const { postsById } = blog.services.queries;
  let finish = () => {};
  const waiting = new Promise<void>((resolve) => (finish = resolve));
  const read = vi.spyOn(blog.services.queries, "postsById").mockImplementation(async (ids, selection) => {
    if (selection.description) await waiting;
    return postsById(ids, selection);
  });
  const texts = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Post { description } } }";
  const long = await createPost(blog.db, { userId: maya.id, description: "slate ".repeat(5_000) });
  read.mockImplementationOnce(postsById);
  await blog.gql(texts, { ids: [long.id] });
  const requests = Array.from({ length: 6 }, () => blog.gql(texts, { ids: [ids.post] }));
  await expect.poll(() => bulkheadCounts.texts).toEqual({ running: 1, waiting: 5 });
  expect((await blog.gql(`{ post(id: "${ids.post}") { title } }`)).body.data.post.title).toBe("b moss");
  finish();
  for (const { body } of await Promise.all(requests)) expect(body.data.nodes).toHaveLength(1);
  read.mockRestore();
});

test("comments by id count as texts, and more than ten aliases take a permit", async () => {
  const { queries } = blog.services;
  let finish = () => {};
  const waiting = new Promise<void>((resolve) => (finish = resolve));
  const { commentsById } = queries;
  const read = vi.spyOn(queries, "commentsById").mockImplementation(async (keys) => {
    await waiting;
    return commentsById(keys);
  });
  const long = await createPost(blog.db, { userId: maya.id, description: "slate ".repeat(5_000) });
  await blog.gql(`{ post(id: "${long.id}") { description } }`);
  const comment = (n: number) => `a${n}: node(id: "${ids.comment}") { ... on Comment { text } }`;
  const aliases = (count: number) =>
    blog.gql(`{ ${Array.from({ length: count }, (_, n) => comment(n)).join(" ")} }`);
  const requests = [aliases(10), aliases(11)];
  await expect.poll(() => bulkheadCounts.texts).toEqual({ running: 1, waiting: 1 });
  expect(bulkheadCounts.operations).toEqual({ running: 1, waiting: 0 });
  finish();
  for (const { body } of await Promise.all(requests)) expect(body.data.a0).toEqual({ text: "Yes." });
  read.mockRestore();
});
