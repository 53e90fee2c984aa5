import { randomUUID } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Kind, parse, print, separateOperations, type OperationDefinitionNode } from "graphql";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { finishDeferredWork } from "../domain/deferred-work.ts";
import { PREVIEW_TOKEN, startLargeBlog, type LargeBlog } from "../testing/large-blog.ts";
import { operations } from "../testing/operations.ts";
import { buildBlogSchema } from "./schema.ts";

// N+1 tests: the number of statements must be equal for 3 and for 100 rows.

/** Id of both the post and the profile that the pages show. */
const id = randomUUID();
const statements: string[] = [];
const originalQuery = pg.Client.prototype.query;
let small: LargeBlog;
let large: LargeBlog;

beforeAll(async () => {
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...words: unknown[]) {
    const [first] = words as [string | { text: string }];
    statements.push(typeof first === "string" ? first : first.text);
    return (originalQuery as (...all: unknown[]) => never).apply(this, words);
  });
  [small, large] = [await startLargeBlog(3, id), await startLargeBlog(100, id)];
  // A request waits two seconds for the renderer, so that its speed would decide whether the statement that stores HTML counts.
  for (const { blog } of [small, large])
    vi.spyOn(blog.services.markdown, "render").mockResolvedValue("<p>Rendered.</p>");
});
afterAll(() => {
  vi.restoreAllMocks();
});
beforeEach(() => {
  statements.length = 0;
});

/** Values of required variables by type, or by name if the type does not decide. */
const samples: Record<string, unknown> = {
  ...{ ID: id, Int: 1, String: "Title 0", Boolean: true },
  ...{ token: PREVIEW_TOKEN, tag: "Tag 0", name: "Tag 0" },
};

function samplesFor(operation: OperationDefinitionNode): Record<string, unknown> {
  const required = (operation.variableDefinitions ?? []).flatMap(({ variable, type }) =>
    type.kind === Kind.NON_NULL_TYPE
      ? [[variable.name.value, samples[variable.name.value] ?? samples[print(type.type)]]]
      : [],
  );
  return Object.fromEntries(required) as Record<string, unknown>;
}

function clientQueries() {
  const files = readdirSync("client", { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => file.endsWith(".graphql"));
  const all = parse(sources.map((file) => readFileSync(join("client", file), "utf8")).join("\n"));
  return Object.values(separateOperations(all)).flatMap((document) => {
    const operation = document.definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
    if (operation?.operation !== "query") return [];
    const name = operation.name?.value ?? "";
    return [{ name, query: print(document), variables: samplesFor(operation) }];
  });
}

/** Once a minute a session is marked as in use, whatever the operation. */
const isOfSession = (text: string) => /^UPDATE .*"Session" SET "lastSeenAt"/.test(text);

async function countStatements(work: () => Promise<unknown>): Promise<number> {
  statements.length = 0;
  // A request of more than 250 ms looks at its session again, which depends on the machine and not on the rows.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  await work().finally(() => clock.mockRestore());
  // Includes the statements that run after the response.
  await finishDeferredWork();
  return statements.filter((text) => !isOfSession(text)).length;
}

test.each(clientQueries())("$name runs a constant number of statements", async ({ query, variables }) => {
  const count = ({ blog, token }: LargeBlog) =>
    countStatements(async () => {
      const { body } = await blog.gql(query, variables, token);
      expect(body.errors).toBeUndefined();
      expect(Object.values(body.data).every((value) => value !== null)).toBe(true);
    });
  const few = await count(small);
  expect(few).toBeGreaterThan(0);
  expect(await count(large)).toBe(few);
});

test.each([
  ["/posts?pageNumber=1", 3],
  [`/posts/${id}`, 0],
  ["/categories", 100],
])("GET %s runs a constant number of statements", async (path, length) => {
  const few = await countStatements(() => small.blog.rest("GET", path));
  expect(few).toBeGreaterThan(0);
  const many = await countStatements(async () => {
    const { status, body } = await large.blog.rest("GET", path);
    expect(status).toBe(200);
    expect((Array.isArray(body) ? body : []).length).toBe(length);
  });
  expect(many).toBe(few);
});

test.each([
  ["/posts", 100],
  ["/posts?category=Title%200", 100],
  ["/comments", 200],
])("GET %s, a stream of %i rows, runs a constant number of statements per 100 rows", async (path, rows) => {
  const few = await countStatements(() => small.blog.rest("GET", path, small.token));
  const many = await countStatements(async () => {
    expect((await large.blog.rest("GET", path, large.token)).body).toHaveLength(rows);
  });
  // One chunk per 100 rows, and one query for the end.
  expect(many).toBeLessThanOrEqual((rows / 100 + 1) * few);
});

test("A10: nested posts read no text unless it is selected", async () => {
  const ofQuery = async (query: string) => {
    statements.length = 0;
    expect((await small.blog.gql(query, {}, small.token)).body.errors).toBeUndefined();
    return statements.join("\n");
  };
  const nested = (fields: string) => [
    `{ profile(id: "${id}") { posts(first: 3) { nodes { ${fields} } } } }`,
    `{ post(id: "${id}") { comments(first: 3) { nodes { post { ${fields} } } } } }`,
  ];
  for (const query of nested("id title")) expect(await ofQuery(query)).not.toContain("description");
  for (const query of nested("excerpt")) expect(await ofQuery(query)).toContain("description");
});

test("the table lists each field of Query and Mutation", () => {
  const schema = buildBlogSchema();
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  );
  expect(Object.keys(operations(id)).sort()).toEqual(fields.sort());
});

const cases = Object.entries(operations(id)).flatMap(([name, each]) =>
  [each].flat().map((operation) => ({ name, operation })),
);

// Mutations change the data, so they run last and in the order of the table.
test.each(cases)(
  "$name runs a constant number of statements: $operation.query",
  async ({ name, operation }) => {
    const count = async ({ blog, token }: LargeBlog) => {
      const { query, file, prepare } = operation;
      const { token: other, ...variables } = {
        ...operation.variables,
        ...(await prepare?.(blog)),
      } as Variables;
      return countStatements(async () => {
        const path = "variables.image";
        const { body } = file
          ? await blog.gqlUpload({ query, variables: { ...variables, image: null }, file, path }, token)
          : await blog.gql(query, variables, other ?? token);
        expect(body.errors).toBeUndefined();
        expect(Object.values(body.data).every((value) => value !== null)).toBe(true);
      });
    };
    // The rate limit of likes takes leases of 20 hits, so one like in twenty runs an extra statement.
    for (const { blog } of [small, large])
      Object.assign(blog.services, { rateLimitsEnabled: !/^(un)?like/.test(name) });
    const few = await count(small);
    expect(few).toBeGreaterThan(0);
    expect(await count(large)).toBe(few);
  },
);

type Variables = Record<string, unknown> & { token?: string };
