import fc from "fast-check";
import {
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isUnionType,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from "graphql";
import { anyJson, anyText } from "./arbitraries.ts";
import type { Request } from "./malformed.ts";

type Draw = fc.GeneratorValue;
type Document = { query: string; variables: Record<string, unknown> };

/** Documents that are valid except for the values of their arguments. */
export const documents = (
  schema: GraphQLSchema,
  ids: string[],
  kinds: ("query" | "mutation")[] = ["query", "query", "mutation"],
): fc.Arbitrary<Document> =>
  fc.gen().map((draw) => {
    const kind = draw(fc.constantFrom, ...kinds);
    const root = kind === "query" ? schema.getQueryType() : schema.getMutationType();
    const variables: Writer = { declared: [], values: {}, ids };
    const selection = selectionOf(draw, root as GraphQLObjectType, variables, 0);
    const head = variables.declared.length > 0 ? `(${variables.declared.join(", ")})` : "";
    return { query: `${kind} ${head} ${selection}`, variables: variables.values };
  });

type Writer = { declared: string[]; values: Record<string, unknown>; ids: string[] };

function selectionOf(draw: Draw, type: GraphQLCompositeType, writer: Writer, depth: number): string {
  if (isUnionType(type)) {
    const possible = draw(() => fc.constantFrom(...type.getTypes()));
    return `{ ... on ${possible.name} ${selectionOf(draw, possible, writer, depth)} }`;
  }
  const fields = Object.values(type.getFields()).filter(
    (field) => depth < 4 || !isCompositeType(getNamedType(field.type)),
  );
  if (fields.length === 0) return "{ __typename }";
  const maxLength = Math.min(fields.length, depth === 0 ? 2 : 4);
  // A builder without arguments: fast-check would compare those, and types reference each other endlessly.
  const chosen = draw(() => fc.subarray(fields, { minLength: 1, maxLength }));
  return `{ ${chosen.map((field) => fieldOf(draw, field, writer, depth)).join(" ")} }`;
}

function fieldOf(draw: Draw, field: GraphQLField<unknown, unknown>, writer: Writer, depth: number): string {
  const given = field.args.filter((arg) => isNonNullType(arg.type) || draw(fc.nat, { max: 2 }) === 0);
  const list = given.map((arg) => `${arg.name}: ${argumentOf(draw, arg, writer)}`);
  const type = getNamedType(field.type);
  const below = isCompositeType(type) ? selectionOf(draw, type, writer, depth + 1) : "";
  return `${field.name}${list.length > 0 ? `(${list.join(", ")})` : ""} ${below}`;
}

function argumentOf(draw: Draw, arg: GraphQLArgument, writer: Writer): string {
  const value = draw(() => valuesOf(arg.type, writer.ids));
  const name = `v${writer.declared.length}`;
  writer.declared.push(`$${name}: ${String(arg.type)}`);
  writer.values[name] = value;
  return `$${name}`;
}

/** Values that mostly match a type. */
function valuesOf(type: GraphQLInputType, ids: string[]): fc.Arbitrary<unknown> {
  if (isNonNullType(type))
    return fc.oneof({ weight: 9, arbitrary: rightOf(type.ofType, ids) }, { weight: 1, arbitrary: anyJson });
  return fc.oneof(
    { weight: 6, arbitrary: rightOf(type, ids) },
    { weight: 1, arbitrary: anyJson },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

function rightOf(type: GraphQLInputType, ids: string[]): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) return rightOf(type.ofType, ids);
  if (isListType(type)) return fc.array(valuesOf(type.ofType as GraphQLInputType, ids), { maxLength: 4 });
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name));
  if (isInputObjectType(type))
    return fc.record(
      Object.fromEntries(
        Object.values(type.getFields()).map((field) => [field.name, valuesOf(field.type, ids)]),
      ),
    );
  if (type.name === "Int") return fc.oneof(fc.integer({ min: -2, max: 120 }), fc.integer());
  if (type.name === "Boolean") return fc.boolean();
  if (type.name === "DateTime")
    return fc.oneof({ weight: 3, arbitrary: times }, { weight: 1, arbitrary: anyText });
  if (type.name === "ID")
    return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: anyText });
  return fc.oneof(
    anyText,
    fc.constantFrom(
      "maya@example.com",
      "Craft",
      cursor("0"),
      cursor("99999999999999"),
      cursor("999999999999999"),
    ),
  );
}

/** Years that PostgreSQL, JavaScript or ISO 8601 do not support or write differently. */
const times = fc.constantFrom(
  ...["2026-11-21T09:30:00.000Z", "2199-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "1969-12-31T23:59:60Z"],
  ...[
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-14:00",
    "+010000-01-01T00:00:00Z",
  ],
);

const cursor = (time: string) =>
  Buffer.from(`${time}_00000000-0000-4000-8000-000000000011`).toString("base64url");

const broken = (document: fc.Arbitrary<Document>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 8, arbitrary: document },
    {
      weight: 1,
      arbitrary: fc.tuple(document, fc.nat(80)).map(([{ query }, end]) => ({ query: query.slice(0, end) })),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(document, anyText, fc.nat(80)).map(([{ query, variables }, text, at]) => ({
        query: query.slice(0, at) + text + query.slice(at),
        variables,
      })),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(document, anyJson).map(([{ query }, variables]) => ({ query, variables })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(document, anyJson)
        .map(([document, operationName]) => ({ ...document, operationName, extensions: operationName })),
    },
    { weight: 1, arbitrary: fc.constantFrom(...expensive) },
    { weight: 1, arbitrary: fc.array(document, { maxLength: 3 }) },
    { weight: 1, arbitrary: anyJson },
  );

const expensive = [
  { query: `{ ${"posts { nodes { user { posts { nodes { id } } } } } ".repeat(20)} }` },
  { query: `{ ${Array.from({ length: 500 }, (_, n) => `a${n}: postsCount`).join(" ")} }` },
  { query: "{ ".repeat(2_000) },
  { query: "query { ...a } fragment a on Query { ...b } fragment b on Query { ...a }" },
  { query: `{ postsCount ${"@include(if: true) ".repeat(400)} }` },
  { query: `{ post(id: "${"x".repeat(30_000)}") { id } }` },
  { query: "{ posts(first: 99999999999999999999) { totalCount } }" },
  { query: "subscription { posts }" },
  { query: "{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }" },
];

export const malformedGraphql = (
  schema: GraphQLSchema,
  ids: string[],
  tokens: string[],
): fc.Arbitrary<Request> =>
  fc
    .record({
      body: broken(documents(schema, ids)),
      isGet: fc.nat(9).map((n) => n === 0),
      accept: fc.constantFrom("application/json", "application/graphql-response+json", "*/*"),
      authorization: fc.constantFrom(...tokens, "undefined").map((token) => `Bearer ${token}`),
    })
    .map(({ body, isGet, ...headers }) => {
      const json = JSON.stringify(body) ?? "null";
      const { query = "" } = (body ?? {}) as { query?: unknown };
      const address = `/graphql?query=${encodeURIComponent(String(query).toWellFormed().slice(0, 4_000))}`;
      return isGet
        ? { method: "GET", path: address, headers: { ...headers, "apollo-require-preflight": "true" } }
        : {
            method: "POST",
            path: "/graphql",
            headers: { ...headers, "content-type": "application/json" },
            body: json,
          };
    });
