import {
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  type GraphQLAbstractType,
  type GraphQLNamedType,
  type GraphQLObjectType,
} from "graphql";
import { beforeAll, expect, test } from "vitest";
import { startRouteInventory } from "../testing/route-inventory.ts";
import { ids, seed, tokens } from "../testing/parity.ts";
import { buildBlogSchema } from "./schema.ts";

// Requests every query, field and GET route: only its author may get any part of a draft.

const SECRET = "Unpublishable";
let blog: Awaited<ReturnType<typeof startRouteInventory>>["blog"];
let routes: Awaited<ReturnType<typeof startRouteInventory>>["routes"];
beforeAll(async () => {
  ({ blog, routes } = await startRouteInventory());
  await seed(blog);
  const description = `${SECRET} text ![](/media/${ids.picture.slice(0, 2)}/${ids.picture}/picture.jpg)`;
  const secret = { title: `${SECRET} title`, description, alt: `${SECRET} alt` };
  await blog.db.draft.updateMany({ data: secret });
  const { category } = await blog.db.draft.update({ where: { id: ids.draft }, data: { category: SECRET } });
  expect(category).toBe(SECRET);
  await blog.db.draft.update({ where: { id: ids.unshared }, data: { postId: ids.post } });
});

const schema = buildBlogSchema();
const idOf: Record<string, string> = {
  post: ids.post,
  profile: ids.maya,
  draft: ids.draft,
  node: ids.draft,
};
const DEPTH = 5;

/** All fields below a type that need no argument, to a depth, without returning to a type. */
function selectionOf(type: GraphQLObjectType, path: string[] = []): string {
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const named = getNamedType(field.type);
    if (field.args.some(isRequiredArgument)) return [];
    if (isLeafType(named)) return [field.name];
    if (isAbstractType(named)) return [`${field.name} ${leavesOf(named)}`];
    if (!isObjectType(named) || path.includes(named.name) || path.length >= DEPTH) return [];
    const isRepeated = field.name === "edges" && "nodes" in type.getFields();
    if (field.name === "revisions" || isRepeated) return [];
    return [`${field.name} ${selectionOf(named, [...path, named.name])}`];
  });
  return `{ ${fields.join(" ") || "__typename"} }`;
}

/** The texts, numbers and so on of all possible types, under names of their own, since their types may conflict. */
function leavesOf(type: GraphQLAbstractType): string {
  const fragments = schema.getPossibleTypes(type).map((possible) => {
    const leaves = Object.values(possible.getFields()).filter(
      (field) => isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument),
    );
    return `... on ${possible.name} { ${leaves.map(({ name }) => `${possible.name}_${name}: ${name}`).join(" ")} }`;
  });
  return `{ __typename ${fragments.join(" ")} }`;
}

function allOf(type: GraphQLNamedType): string {
  if (isObjectType(type)) return selectionOf(type, [type.name]);
  return isAbstractType(type) ? leavesOf(type) : "";
}

const samples: Record<string, unknown> = {
  userId: ids.maya,
  name: "Slate",
  ids: [ids.draft, ids.picture],
  query: SECRET,
  token: "x".repeat(43),
  text: "Moss",
  since: "2026-01-01T00:00:00.000Z",
};

const queries = Object.values(schema.getQueryType()?.getFields() ?? {}).map((field) => {
  const given = field.args.filter(isRequiredArgument).map((arg) => ({
    head: `$${arg.name}: ${String(arg.type)}`,
    use: `${arg.name}: $${arg.name}`,
    value: [arg.name, idOf[field.name] ?? samples[arg.name]] as const,
  }));
  const named = getNamedType(field.type);
  const below = allOf(named);
  const head = given.length ? `query (${given.map((arg) => arg.head).join(", ")})` : "query";
  const args = given.length ? `(${given.map((arg) => arg.use).join(", ")})` : "";
  return {
    name: field.name,
    query: `${head} { ${field.name}${args} ${below} }`,
    variables: Object.fromEntries(given.map((arg) => arg.value)),
  };
});

/** The private data: the texts of the draft, and the files of its pictures. */
const secrets = [SECRET, ids.picture];

test.each(queries)("$name shows nothing of a draft to others", async ({ query, variables }) => {
  for (const token of [null, tokens.noor, tokens.ada]) {
    const { text, body } = await blog.gql(query, variables, token);
    const ofDocument = (body.errors ?? []).filter((error: any) => !error.path);
    expect(ofDocument, query).toEqual([]);
    for (const secret of secrets) expect(text).not.toContain(secret);
  }
});

test("the queries find the draft for its author, so that they would show it", async () => {
  const found = await Promise.all(
    queries.map(async ({ query, variables }) => (await blog.gql(query, variables, tokens.maya)).text),
  );
  expect(found.filter((text) => text.includes(SECRET)).length).toBeGreaterThanOrEqual(2);
});

test("no GET route and no page shows anything of a draft", async () => {
  const paths = routes
    .filter(({ method, url }) => method === "GET" && !url.includes("*"))
    .map(({ url }) =>
      url
        .replace(":userId", ids.maya)
        .replace(":id", url.includes("/users/") ? ids.maya : ids.post)
        .replaceAll(/:[a-zA-Z]+/g, "x"),
    );
  const pages = [
    "/",
    "/posts",
    `/posts/details/${ids.post}`,
    `/profile/${ids.maya}`,
    "/posts/categories/Craft",
  ];
  const guesses = [`/posts/details/${ids.draft}`, `/preview/${ids.draft}`, `/api/posts/${ids.draft}`];
  for (const path of [...paths, ...pages, ...guesses])
    for (const token of [null, tokens.noor, tokens.ada]) {
      const headers = token ? { authorization: `Bearer ${token}` } : {};
      const { body: text } = await blog.app.inject({ method: "GET", url: path, headers });
      for (const secret of secrets) expect(text, path).not.toContain(secret);
    }
  expect(paths.length).toBeGreaterThan(15);
});
