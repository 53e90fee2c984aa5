import { randomUUID } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Kind, parse, print, separateOperations, type OperationDefinitionNode } from "graphql";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { blankPicture } from "../testing/factories.ts";

// Pages of our own client, and the lists of REST, ask the database as often for a hundred rows as for three.

/** One id for the post and for the profile that a page is asked about. */
const id = randomUUID();
const statements: string[] = [];
const ask = pg.Client.prototype.query;
let small: Filled;
let large: Filled;

beforeAll(async () => {
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...words: unknown[]) {
    const [first] = words as [string | { text: string }];
    statements.push(typeof first === "string" ? first : first.text);
    return (ask as (...all: unknown[]) => never).apply(this, words);
  });
  [small, large] = [await startFilled(3), await startFilled(100)];
});
afterAll(() => {
  vi.restoreAllMocks();
});
beforeEach(() => {
  statements.length = 0;
});

type Filled = { blog: TestApp; token: string };

/** A blog with so many posts, authors, categories and, below one post, comments and likes. */
async function startFilled(rows: number): Promise<Filled> {
  const blog = await startTestApp();
  const { token } = await blog.signUp({ id, isAdmin: true });
  const numbers = [...Array(rows).keys()];
  const people = numbers.map((n) => ({ id: randomUUID(), username: `Author ${n}` }));
  await blog.db.user.createMany({
    data: people.map((person) => ({
      ...{ ...person, usernameKey: person.username.toLowerCase(), email: `${person.id}@example.com` },
      passwordHash: "unusable",
    })),
  });
  const posts = numbers.map((n) => ({ ...{ id: n === 0 ? id : randomUUID() }, picture: blankPicture() }));
  await blog.db.picture.createMany({ data: posts.map((post) => post.picture) });
  await blog.db.post.createMany({
    data: posts.map((post, n) => ({
      ...{
        id: post.id,
        imageId: post.picture.id,
        title: `Post ${n}`,
        description: "Long enough to be read.",
      },
      // Every other post is the one author's whose profile is read.
      ...{ category: "Title 0", userId: n % 2 === 0 ? id : people[n]!.id },
    })),
  });
  await blog.db.category.createMany({
    data: numbers.map((n) => ({ title: `Title ${n}`, titleKey: `title ${n}` })),
  });
  const below = people.map((person, n) => [
    { postId: id, userId: person.id },
    { postId: posts[n]!.id, userId: person.id },
  ]);
  await blog.db.comment.createMany({ data: below.flat().map((each) => ({ ...each, text: "Well said." })) });
  await blog.db.like.createMany({ data: below.flat(), skipDuplicates: true });
  return { blog, token };
}

/** What a variable that must be given gets, by its type. */
const samples: Record<string, unknown> = { ID: id, Int: 1, String: "Title 0", Boolean: true };

function samplesFor(operation: OperationDefinitionNode): Record<string, unknown> {
  const required = (operation.variableDefinitions ?? []).flatMap(({ variable, type }) =>
    type.kind === Kind.NON_NULL_TYPE ? [[variable.name.value, samples[print(type.type)]]] : [],
  );
  return Object.fromEntries(required) as Record<string, unknown>;
}

/** The queries of client/, each with the fragments it needs. */
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

async function countStatements(work: () => Promise<unknown>): Promise<number> {
  statements.length = 0;
  await work();
  return statements.length;
}

test.each(clientQueries())("$name asks as often for many rows as for few", async ({ query, variables }) => {
  const count = ({ blog, token }: Filled) =>
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
])("GET %s asks as often for many rows as for few", async (path, length) => {
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
])("GET %s, a stream of %i rows, costs no more than so many hundreds of rows", async (path, rows) => {
  const few = await countStatements(() => small.blog.rest("GET", path, small.token));
  const many = await countStatements(async () => {
    expect((await large.blog.rest("GET", path, large.token)).body).toHaveLength(rows);
  });
  // One chunk for each hundred rows, and a look whether there are more.
  expect(many).toBeLessThanOrEqual((rows / 100 + 1) * few);
});
