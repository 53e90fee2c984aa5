import { beforeAll, describe, expect, test } from "vitest";
import type { PostSelection } from "../../domain/post-selection.ts";
import { runPostQuery } from "../../data/queries/posts.ts";
import { createParams, keysetClause } from "../../data/queries/keyset.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { usedMemory } from "../../testing/memory.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});

describe("variables with hundreds of unknown keys or elements are refused before graphql-js reads them", () => {
  const keys = Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [n, 1]));
  const login = "mutation ($input: LoginInput!) { login(input: $input) { token } }";
  test.each([
    ["in an input", { input: keys }],
    ["in a list", { input: [[keys]] }],
    ["of a list", { input: Array(201).fill([]) }],
  ])("%s", async (_where, variables) => {
    for (let time = 0; time < 2; time++) {
      const { status, body } = await blog.gql(login, variables);
      expect([status, body.errors[0].extensions.code]).toEqual([400, "BAD_USER_INPUT"]);
      expect(body.errors).toHaveLength(1);
      expect(body.errors[0].message).toBe(
        "an object in the variables has more than 20 fields, or a list more than 200 elements",
      );
    }
  });

  test("and those of a known document are coerced up to the first error", async () => {
    const query = "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }";
    expect((await blog.gql(query, { ids: [] })).body.data.nodes).toEqual([]);
    const { body } = await blog.gql(query, { ids: Array(200).fill([]) });
    expect(body.errors).toHaveLength(51);
  });

  test("but unknown variables are ignored, as GraphQL demands", async () => {
    expect((await blog.gql("{ postsCount }", keys)).body).toEqual({ data: { postsCount: 0 } });
  });
});

describe("a name that a document repeats", () => {
  const fields = (count: number) => `{ ${"posts { nodes { id } } ".repeat(count)} }`;
  test("is counted behind a long comment too", async () => {
    const { status, body } = await blog.gql(`# ${"a ".repeat(2_001)}\n${fields(200)}`);
    expect([status, body.errors[0].message]).toEqual([
      400,
      'this document names "posts" more than 120 times',
    ]);
  });

  test("is not counted in comments and strings", async () => {
    const words = "the ".repeat(200);
    const query = `# ${words}\n{ posts(search: "${words.slice(0, 90)}") { totalCount } }`;
    expect((await blog.gql(query)).body.errors).toBeUndefined();
    const text = `mutation { createComment(postId: "x", text: "${words}") { id } }`;
    expect((await blog.gql(text)).body.errors[0].extensions.code).toBe("UNAUTHENTICATED");
  });
});

test("statements of other page sizes, cursors and filters leave nothing in memory", async () => {
  const selections: PostSelection[] = Array.from({ length: 40 }, () => ({ author: "full", image: true }));
  const before = usedMemory();
  for (const selection of selections)
    for (let take = 1; take <= 1_000; take++) {
      const query = createParams();
      const slice = { take, skip: 0, cursor: null, direction: "desc" } as const;
      const keys = `SELECT id FROM "Post" WHERE true ${keysetClause(slice, query.add)}`;
      await runPostQuery(async () => [], { keys, query }, selection);
    }
  // 40 000 statements of about 1 kB.
  expect(usedMemory() - before).toBeLessThan(10_000_000);
  expect(selections).toHaveLength(40);
});
