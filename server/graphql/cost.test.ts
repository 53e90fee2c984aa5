import { readdirSync, readFileSync } from "node:fs";
import { getIntrospectionQuery, Kind, parse } from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { refuseDearDocument } from "./cost.ts";
import { buildBlogSchema } from "./schema.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});

describe("a document that asks too much", () => {
  const cases: [string, string][] = [
    ["lists within lists", "{ posts(first: 100) { nodes { user { posts(first: 100) { nodes { id } } } } } }"],
    [
      "the same through edges",
      "{ posts(first: 100) { edges { node { comments(first: 100) { nodes { id } } } } } }",
    ],
    [
      "many aliases",
      `{ ${Array.from({ length: 60 }, (_, n) => `a${n}: posts(first: 50) { nodes { id } }`).join(" ")} }`,
    ],
    ["a fragment spread again and again", fragmentBomb()],
  ];
  for (const [name, query] of cases)
    test(`${name}: is refused without a statement`, async () => {
      const { status, body } = await blog.gql(query);
      expect(status).toBe(400);
      expect(body.errors[0].message).toMatch(/asks too much/);
      expect(body.data).toBeUndefined();
    });

  test("nesting is refused by its depth", async () => {
    const query = `{ post(id: "x") ${"{ user { posts { nodes ".repeat(5)}{ id }${" } } }".repeat(5)} }`;
    expect((await blog.gql(query)).body.errors[0].message).toMatch(/nested more than 12 levels/);
  });

  test("a size given by a variable counts as given", async () => {
    const query = "query ($n: Int) { posts(first: $n) { nodes { comments(first: $n) { nodes { id } } } } }";
    expect((await blog.gql(query, { n: 100 })).status).toBe(400);
    expect((await blog.gql(query, { n: 5 })).status).toBe(200);
  });
});

function fragmentBomb(): string {
  const levels = Array.from(
    { length: 30 },
    (_, n) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`,
  );
  return `{ ...f0 } ${levels.join(" ")} fragment f30 on Query { __typename }`;
}

test("every operation of our client, and introspection, stay far below the limit", () => {
  const schema = buildBlogSchema();
  const files = readdirSync("client", { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".graphql"),
  );
  const text = files.map((file) => readFileSync(`client/${file}`, "utf8")).join("\n");
  for (const source of [text, getIntrospectionQuery()]) {
    const document = parse(source);
    const operations = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
    expect(operations.length).toBeGreaterThan(0);
    for (const operation of operations)
      expect(() => refuseDearDocument(schema, document, operation, {})).not.toThrow();
  }
});
