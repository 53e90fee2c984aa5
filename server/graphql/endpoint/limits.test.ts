import { readFileSync } from "node:fs";
import {
  getIntrospectionQuery,
  getNamedType,
  isObjectType,
  Lexer,
  parse,
  Source,
  type OperationDefinitionNode,
} from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createAccount } from "../../testing/accounts.ts";
import { fragmentBomb, freeFieldBomb, nestedFragments, times } from "../../testing/hostile-documents.ts";
import { measureOperation, type OperationStats } from "./cost.ts";
import { OPERATION_LIMITS, MAX_TOKENS } from "./limits.ts";
import { buildBlogSchema } from "../schema.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});
const schema = buildBlogSchema();
const manifest = JSON.parse(readFileSync("dist/server/persisted-documents.json", "utf8")) as object;

function measure(query: string): OperationStats {
  const document = parse(query);
  const operation = document.definitions.find((each) => each.kind === "OperationDefinition");
  return measureOperation(schema, document, operation as OperationDefinitionNode, {});
}

describe("an operation beyond the limits", () => {
  const cases: [string, string][] = [
    ["lists within lists", "{ posts(first: 100) { nodes { user { posts(first: 100) { nodes { id } } } } } }"],
    [
      "the same through edges",
      "{ posts(first: 100) { edges { node { comments(first: 100) { nodes { id } } } } } }",
    ],
    [
      "the same with last",
      "{ posts(first: 1, last: 100) { nodes { comments(last: 100) { nodes { id } } } } }",
    ],
    ["many aliases", `{ ${times(50, (n) => `a${n}: posts(first: 99) { nodes { id title } }`).join(" ")} }`],
    ["a fragment with many spreads", fragmentBomb()],
    [
      "a list whose entries are in a fragment",
      "{ posts(first: 100) { ...Entries } } fragment Entries on PostConnection { nodes { comments(first: 100) { nodes { id } } } }",
    ],
    [
      "skipped fields",
      "{ posts(first: 100) @skip(if: true) { nodes { ... @include(if: false) { comments(first: 100) { nodes { id } } } } } }",
    ],
  ];
  for (const [name, query] of cases)
    test(`${name}: is refused without a statement, by its cost and the limit`, async () => {
      const { status, body } = await blog.gql(query);
      expect(status).toBe(400);
      expect(body.errors[0].message).toMatch(/asks too much at once: it costs \d+, and the limit is \d+$/);
      const { code, cost } = body.errors[0].extensions;
      expect([code, cost.limit]).toEqual(["BAD_USER_INPUT", OPERATION_LIMITS.cost]);
      expect(cost.requested).toBeGreaterThan(OPERATION_LIMITS.cost);
      expect(body.data).toBeUndefined();
    });

  const others: [string, string, RegExp][] = [
    [
      "nesting",
      `{ post(id: "x") ${"{ user { posts { nodes ".repeat(5)}{ id }${" } } }".repeat(5)} }`,
      /nested 17 levels deep, and the limit is 12$/,
    ],
    ["nesting in fragments", nestedFragments(), /nested 17 levels deep, and the limit is 12$/],
    ["aliases", `{ ${times(51, (n) => `a${n}: postsCount`).join(" ")} }`, /51 aliases, and the limit is 50$/],
    [
      "aliases in a fragment spread twice",
      `{ categories { ...A } profile(id: "x") { id } more: categories { ...A } } fragment A on Category { ${times(26, (n) => `a${n}: id`).join(" ")} }`,
      /53 aliases, and the limit is 50$/,
    ],
    [
      "aliases of __schema",
      `{ ${times(51, (n) => `a${n}: __schema { types { name } }`).join(" ")} }`,
      /51 aliases, and the limit is 50$/,
    ],
    [
      "directives",
      `{ ${"postsCount @include(if: true) ".repeat(51)} }`,
      /51 directives, and the limit is 50$/,
    ],
    [
      "texts",
      `{ posts(first: 91) { nodes { description descriptionHtml descriptionText excerpt a: description b: excerpt c: excerpt } } }`,
      /asks for 1001 texts of posts, and the limit is 1000$/,
    ],
    [
      "files of many pictures",
      `{ posts(first: 51) { nodes { user { posts(first: 10) { nodes { image { variants { url } } } } } } } }`,
      /asks for the files of 510 pictures, and the limit is 500$/,
    ],
    [
      "A3: aliases that each query the database",
      `{ ${times(20, (n) => `a${n}: resetLinkValid(userId: "x", token: "y")`).join(" ")} }`,
      /costs 10000, and the limit is 9500$/,
    ],
    [
      "aliases of introspection",
      `{ __schema { ${times(40, (n) => `a${n}: types { fields { type { ofType { name } } args { name type { name } } } }`).join(" ")} } }`,
      /asks too much of the schema at once: about \d+ fields, and the limit is 210000$/,
    ],
    [
      "a repeated name, which validation compares pair by pair",
      `{ ${"posts { nodes { id } } ".repeat(121)} }`,
      /names "posts" more than 120 times$/,
    ],
    [
      "fragments that spread each other",
      `{ ...f0 } ${times(61, (n) => `fragment f${n} on Query { ...f${n + 1} postsCount }`).join(" ")} fragment f61 on Query { __typename }`,
      /more than 60 fragments$/,
    ],
    [
      "fragments with many fields",
      `{ ...f0 } ${times(60, (n) => `fragment f${n} on Query { ${"postsCount ".repeat(10)} }`).join(" ")}`,
      /has 60 fragments and \d+ names: multiplied, they may be 25000 at most$/,
    ],
    [
      "free fields in fragments that each spread the next one twice",
      freeFieldBomb(30),
      /asks too much at once: it costs \d+, and the limit is 9500$/,
    ],
    ["bytes", `{ postsCount } # ${"é".repeat(10_000)}`, /20017 bytes long, and the limit is 20000$/],
    ["lines", `{${"\n".repeat(500)}postsCount }`, /has 501 lines, and the limit is 500$/],
    [
      "lines, before validation",
      `{${"\r\n".repeat(9_000)}${times(110, (n) => `q${n}`).join(" ")} }`,
      /has 9001 lines/,
    ],
    [
      "likers of many posts",
      `{ ${times(11, (n) => `a${n}: posts(first: 100) { nodes { likes } }`).join(" ")} }`,
      /asks for 1100 texts of posts/,
    ],
    ["tokens", `{ ${"a ".repeat(MAX_TOKENS + 1)} }`, /more tha[nt] 2000 tokens/],
  ];
  test.each(others)("%s: is refused by the limit", async (_name, query, message) => {
    const { status, body } = await blog.gql(query);
    expect([status, body.data]).toEqual([400, undefined]);
    expect(body.errors[0].message).toMatch(message);
  });

  test("has status 200 with errors and no data with Accept: application/json", async () => {
    const send = (accept: string) =>
      blog.app.inject({
        method: "POST",
        url: "/graphql",
        headers: { accept },
        payload: { query: cases[0]?.[1] },
      });
    const plain = await send("application/json");
    expect([plain.statusCode, Object.keys(plain.json())]).toEqual([200, ["errors"]]);
    expect((await send("application/graphql-response+json")).statusCode).toBe(400);
  });

  test("a page size in a variable counts", async () => {
    const query = "query ($n: Int) { posts(first: $n) { nodes { comments(first: $n) { nodes { id } } } } }";
    expect((await blog.gql(query, { n: 100 })).status).toBe(400);
    expect((await blog.gql(query, { n: 5 })).status).toBe(200);
    const defaulted = query.replace("$n: Int", "$n: Int = 100");
    expect((await blog.gql(defaulted)).status).toBe(400);
  });

  test("A4: the default of a variable counts", () => {
    const search = (words: string) =>
      measure(`query ($s: String${words}) { posts(search: $s) { totalCount } }`).cost;
    expect(search(' = "common"')).toBe(502);
    expect([search(""), search(' = ""')]).toEqual([2, 2]);
    expect(measure('{ posts(sort: "author") { totalCount } }').cost).toBe(102);
  });

  test("a deep page of a filtered list costs extra", () => {
    const costOf = (list: string) => measure(`{ ${list} { totalCount } }`).cost;
    expect(costOf("posts(page: 9000)")).toBe(2);
    expect([25, 26].map((page) => costOf(`posts(category: "x", page: ${page})`))).toEqual([2, 52]);
    const nested = "{ profile(id: 1) { posts(page: 9000) { totalCount } } }";
    expect(measure(nested).cost).toBe(53);
  });

  test("texts of comments count a twentieth of a post's", () => {
    const texts = (aliases: number) =>
      measure(
        `{ post(id: 1) { comments(first: 30) { nodes { ${Array.from({ length: aliases }, (_, n) => `a${n}: text`).join(" ")} } } } }`,
      ).texts;
    expect([texts(1), texts(49)].map(Math.round)).toEqual([2, 73]);
  });

  test("each fragment is measured once, whatever the number of spreads", () => {
    const start = performance.now();
    expect(measure(fragmentBomb(400)).cost).toBeGreaterThan(1e100);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

test("nested spreads within the cost limit read each field once", async () => {
  const began = performance.now();
  const { body } = await blog.gql(freeFieldBomb(12));
  expect(body).toEqual({ data: { posts: { nodes: [] } } });
  expect(performance.now() - began).toBeLessThan(2_000);
});

describe("the cost", () => {
  const query = "{ posts(first: 5) { nodes { id title } } }";
  const cost = { requested: 12, limit: OPERATION_LIMITS.cost };

  test("is in the response on request, by an extension or a header", async () => {
    const headers = { "content-type": "application/json" };
    const post = (body: object, more = {}) =>
      blog.app.inject({ method: "POST", url: "/graphql", headers: { ...headers, ...more }, payload: body });
    expect((await post({ query, extensions: { cost: true } })).json().extensions).toEqual({ cost });
    expect((await post({ query }, { "x-graphql-cost": "1" })).json().extensions).toEqual({ cost });
    const get = `/graphql?query=${encodeURIComponent(query)}&extensions={"cost":true}`;
    expect((await blog.app.inject({ url: get, headers })).json().extensions).toEqual({ cost });
    expect((await blog.gql(query)).body.extensions).toBeUndefined();
  });

  test("is in the response to a refused operation, too", async () => {
    const expensive = "{ posts(first: 100) { nodes { comments(first: 100) { nodes { id } } } } }";
    const response = await blog.app.inject({
      method: "POST",
      url: "/graphql",
      payload: { query: expensive, extensions: { cost: true } },
    });
    expect(response.json().extensions.cost).toEqual(response.json().errors[0].extensions.cost);
  });
});

/** Every field of a type that needs no argument and has no list below, to one more level. */
function allFields(typeName: string, depth = 2): string {
  const type = schema.getType(typeName);
  if (!isObjectType(type)) throw new Error(`${typeName} is no object`);
  const fields = Object.values(type.getFields()).map(({ name, type: of }) => {
    const named = getNamedType(of);
    if (!isObjectType(named)) return name;
    if (depth === 0 || named.name.endsWith("Connection") || ["Post", "Draft"].includes(named.name)) return "";
    return `${name} { ${allFields(named.name, depth - 1)} }`;
  });
  return fields.join(" ");
}

test("ordinary reads are within the limits: 100 posts with all fields and three comments of each", () => {
  const comments = `comments(first: 3) { nodes { ${allFields("Comment", 1)} } }`;
  const figures = measure(`{ posts(first: 100) { nodes { ${allFields("Post")} ${comments} } } }`);
  console.info("100 posts with all fields", figures);
  expect(figures.cost).toBeLessThan(OPERATION_LIMITS.cost);
  expect(figures.texts).toBeLessThan(OPERATION_LIMITS.texts);
});

test("the root field nodes costs as much as it names ids", () => {
  const costOf = (ids: string, variables = {}) => {
    const document = parse(
      `query ($ids: [ID!] = ["a"], $id: ID) { nodes(ids: ${ids}) { id ... on Post { title } } }`,
    );
    const [operation] = document.definitions;
    return measureOperation(schema, document, operation as OperationDefinitionNode, variables).cost;
  };
  expect([costOf('["a", "b", $id]'), costOf('"a"'), costOf("$ids")]).toEqual([7, 3, 3]);
  expect(costOf("$ids", { ids: Array(100).fill("a") })).toBe(201);
});

test("the limits are at least five times the client's most expensive operation, and allow introspection", () => {
  const documents = Object.values(manifest) as string[];
  const figures = documents.map(measure);
  const dearest = Math.max(...figures.map(({ cost }) => cost));
  const longest = Math.max(...documents.map(countTokens));
  const deepest = Math.max(...figures.map(({ depth }) => depth));
  const introspection = measure(getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true }));
  console.info({ dearest, longest, deepest, introspection });
  expect(OPERATION_LIMITS.cost / dearest).toBeGreaterThan(4.5);
  expect(OPERATION_LIMITS.cost / dearest).toBeLessThan(9);
  expect(MAX_TOKENS).toBeGreaterThan(longest * 5);
  expect(OPERATION_LIMITS.depth).toBeGreaterThan(deepest);
  expect(introspection.cost).toBeLessThan(OPERATION_LIMITS.cost);
  expect(OPERATION_LIMITS.schema / introspection.schema).toBeGreaterThan(2);
  expect(OPERATION_LIMITS.schema / introspection.schema).toBeLessThan(3);
});

function countTokens(text: string): number {
  const lexer = new Lexer(new Source(text));
  let count = 0;
  while (lexer.advance().kind !== "<EOF>") count += 1;
  return count;
}

test("fifty logins in one document make one attempt: the first failure ends the operation, and is counted", async () => {
  const { email } = await createAccount(blog);
  const login = (n: number) => `a${n}: login(input: { email: "${email}", password: "wrong ${n}" }) { token }`;
  const responses = [];
  for (let n = 0; n < 11; n += 1)
    responses.push((await blog.gql(`mutation { ${times(50, login).join(" ")} }`)).body);
  for (const { data, errors } of responses) expect([data, errors.length]).toEqual([null, 1]);
  const codes = responses.map(({ errors }) => errors[0].extensions.code);
  expect(codes).toEqual([...Array(10).fill("BAD_USER_INPUT"), "RATE_LIMITED"]);
});
