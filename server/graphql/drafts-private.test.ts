import {
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  parse,
  print,
  visit,
  type GraphQLAbstractType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type OperationDefinitionNode,
} from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { sendInGraphql, ids, tokens, type ParityCall } from "../testing/parity.ts";
import { rows } from "../testing/permission-rows.ts";
import { operationOf } from "../testing/route-inventory.ts";
import { expectNoSecret, HIDDEN, otherTokens, SECRET, seedSecretDraft } from "../testing/secret-draft.ts";
import { buildBlogSchema } from "./schema.ts";

// Sends every operation with all fields: only its author may get any part of a draft.

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
  await seedSecretDraft(blog);
});

const schema = buildBlogSchema();
const DEPTH = 5;

/** The arguments that a field needs, which are lengths of lists. */
const argumentsOf = ({ args }: GraphQLField<unknown, unknown>) => {
  const needed = args.filter(isRequiredArgument).map(({ name }) => `${name}: 3`);
  return needed.length ? `(${needed.join(", ")})` : "";
};

/** All fields below a type, to a depth, without returning to a type. */
function selectionOf(type: GraphQLObjectType, path: string[] = [type.name]): string {
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const named = getNamedType(field.type);
    const head = field.name + argumentsOf(field);
    if (isLeafType(named)) return [head];
    if (isAbstractType(named)) return [`${head} ${leavesOf(named)}`];
    if (!isObjectType(named) || path.includes(named.name) || path.length >= DEPTH) return [];
    const isRepeated = field.name === "edges" && "nodes" in type.getFields();
    // For its author and admins only: a refusal would hide the post.
    if (field.name === "revisions" || isRepeated) return [];
    return [`${head} ${selectionOf(named, [...path, named.name])}`];
  });
  return `{ ${fields.join(" ") || "__typename"} }`;
}

/** The texts, numbers and so on of all possible types, under names of their own, since their types may conflict. */
function leavesOf(type: GraphQLAbstractType): string {
  const fragments = schema.getPossibleTypes(type).map((possible) => {
    const leaves = Object.values(possible.getFields()).filter((field) =>
      isLeafType(getNamedType(field.type)),
    );
    return `... on ${possible.name} { ${leaves.map(({ name }) => `${possible.name}_${name}: ${name}`).join(" ")} }`;
  });
  return `{ __typename ${fragments.join(" ")} }`;
}

/** Selections that together contain all fields of a type. */
function selectionsOf(type: GraphQLNamedType): string[] {
  if (isObjectType(type)) return [selectionOf(type)];
  if (!isAbstractType(type)) return [""];
  const possible = schema.getPossibleTypes(type);
  return possible.map((each) => `{ __typename ... on ${each.name} ${selectionOf(each)} }`);
}

/** Of required arguments, by field or by name: the first is always sent, each other one in a query of its own. */
const required: Record<string, unknown[]> = {
  "post.id": [ids.post],
  "profile.id": [ids.maya],
  id: [ids.draft, ids.unshared, ids.picture],
  ids: [[ids.draft, ids.unshared, ids.picture, ids.post]],
  userId: [ids.maya],
  name: ["Slate", HIDDEN],
  query: [HIDDEN, `tag:${HIDDEN}`, `category:${HIDDEN}`],
  token: ["x".repeat(43)],
  text: ["Moss"],
  since: ["2026-01-01T00:00:00.000Z"],
};
/** Of optional arguments, each of which is sent in a query of its own. */
const optional: Record<string, unknown> = {
  ...{ search: HIDDEN, category: HIDDEN, tag: HIDDEN, author: ids.maya },
  updatedAfter: "2000-01-01T00:00:00.000Z",
};
/** These only order and divide a list. */
const ordering = ["after", "before", "days", "first", "last", "orderBy", "page", "sort"];

type Sent = { name: string; given: string; query: string; variables: Record<string, unknown> };

function queriesOf(field: GraphQLField<unknown, unknown>): Sent[] {
  const valuesOf = ({ name }: GraphQLArgument) => required[`${field.name}.${name}`] ?? required[name] ?? [];
  const needed = field.args.filter(isRequiredArgument);
  const base = needed.map((arg) => ({ arg, value: valuesOf(arg)[0] }));
  const others = needed.flatMap((arg) =>
    valuesOf(arg)
      .slice(1)
      .map((value) => base.map((each) => (each.arg === arg ? { arg, value } : each))),
  );
  const chosen = field.args.filter(({ name }) => name in optional);
  const variants = [base, ...others, ...chosen.map((arg) => [...base, { arg, value: optional[arg.name] }])];
  return variants.flatMap((given) =>
    selectionsOf(getNamedType(field.type)).map((below) => {
      const head = given.map(({ arg }) => `$${arg.name}: ${String(arg.type)}`).join(", ");
      const use = given.map(({ arg }) => `${arg.name}: $${arg.name}`).join(", ");
      const variables = Object.fromEntries(given.map(({ arg, value }) => [arg.name, value]));
      const query = given.length
        ? `query (${head}) { ${field.name}(${use}) ${below} }`
        : `{ ${field.name} ${below} }`;
      return { name: field.name, given: JSON.stringify(variables), query, variables };
    }),
  );
}

const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
const queries = fields.flatMap(queriesOf);

test.each(queries)("$name $given shows nothing of a draft to others", async ({ query, variables }) => {
  for (const token of otherTokens) {
    const { text, body } = await blog.gql(query, variables, token);
    const ofDocument = (body.errors ?? []).filter((error: any) => !error.path);
    expect(ofDocument, query).toEqual([]);
    expectNoSecret(text, query);
  }
});

test("every argument of a query has a value, or only orders a list", () => {
  const names = fields.flatMap(({ args }) => args.filter((arg) => !isRequiredArgument(arg)));
  const known = [...Object.keys(optional), ...ordering];
  expect(names.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
});

test("the queries find the draft for its author, so that they would show it", async () => {
  const found: string[] = [];
  // One by one: of all at once some would be refused.
  for (const { query, variables } of queries)
    found.push((await blog.gql(query, variables, tokens.maya)).text);
  expect(found.filter((text) => text.includes(SECRET)).length).toBeGreaterThanOrEqual(2);
});

test("the revisions of a post show nothing of its draft to an admin", async () => {
  const revisions = schema.getType("RevisionConnection") as GraphQLObjectType;
  for (const id of [ids.post, ids.liked]) {
    const query = `{ post(id: "${id}") { revisions ${selectionOf(revisions)} } }`;
    const { text, body } = await blog.gql(query, {}, tokens.ada);
    expect(body.errors).toBeUndefined();
    expectNoSecret(text, query);
  }
});

/** The operation with all fields of its response. */
function inFull(query: string): string {
  const document = parse(query);
  const name = operationOf(query).replace("Mutation.", "");
  const type = schema.getMutationType()?.getFields()[name]?.type;
  const [below = ""] = type ? selectionsOf(getNamedType(type)) : [];
  const { selectionSet } = parse(below).definitions[0] as OperationDefinitionNode;
  return print(
    visit(document, { Field: (field) => (field.name.value === name ? { ...field, selectionSet } : false) }),
  );
}

const mutations = rows.flatMap(([, graphql]) => {
  // Its caller is the author afterwards.
  if (!graphql || !/^mutation/.test(graphql.query) || operationOf(graphql.query).endsWith(".login"))
    return [];
  return [{ name: operationOf(graphql.query), call: { ...graphql, query: inFull(graphql.query) } }];
});

describe("mutations", () => {
  const isWhole = async () => (await blog.db.draft.count({ where: { category: HIDDEN } })) === 2;
  let changes = 0;

  test.each(mutations)(
    "$name shows nothing of a draft to others",
    async ({ call }: { call: ParityCall["graphql"] }) => {
      for (const token of otherTokens) {
        const { text, body } = await sendInGraphql(blog, call, token);
        expectNoSecret(text, call.query);
        if (!body.errors) changes++;
        if (!body.errors || !(await isWhole())) await seedSecretDraft(blog);
      }
    },
  );

  test("of others succeed, where they concern no draft", () => {
    expect(changes).toBeGreaterThan(30);
  });
});
