import { parse, type OperationDefinitionNode } from "graphql";
import { expect, test } from "vitest";
import { buildBlogSchema } from "../schema.ts";
import { measureOperation, recordLength } from "./cost.ts";

const schema = buildBlogSchema();

function measure(query: string) {
  const document = parse(query);
  return measureOperation(schema, document, document.definitions[0] as OperationDefinitionNode, {});
}
const costOf = (query: string) => measure(query).cost;

test("variables named as properties of every object have their defaults", () => {
  const costWith = (name: string) =>
    costOf(`query($${name}: [ID!]! = [${"1,".repeat(100)}]) { nodes(ids: $${name}) { id } }`);
  const names = Object.getOwnPropertyNames(Object.prototype);
  expect(names).toContain("constructor");
  for (const name of names) expect(costWith(name), name).toBe(costWith("ids"));
});

test("a field that is free costs 1 under an alias", () => {
  const costWith = (fields: string) => costOf(`{ posts(first: 100) { nodes { user { id ${fields} } } } }`);
  expect(costWith("url viewerIsFollowing")).toBe(costWith(""));
  const aliased = Array.from({ length: 25 }, (_, n) => `a${n}: url b${n}: viewerIsFollowing`).join(" ");
  expect(costWith(aliased) - costWith("")).toBe(5_000);
});

test("pictures whose files are listed are counted, and fields of files cost something under an alias", () => {
  const measureFiles = (list: string) => measure(`{ posts(first: 100) { nodes { image { ${list} } } } }`);
  const plain = measureFiles("variants { url width height format }");
  const aliased = Array.from({ length: 25 }, (_, n) => `a${n}: width`).join(" ");
  expect(plain.files).toBe(100);
  expect(measureFiles(`variants { ${aliased} }`).cost - plain.cost).toBe(25_000);
  expect(measureFiles("a: variants { url } b: variants { url }").files).toBe(200);
});

test("texts of comments count also where they are not selected", () => {
  const textsOf = (fields: string) =>
    measure(`{ post(id: 1) { comments(first: 100) { nodes { ${fields} } } } }`).texts;
  expect(textsOf("id")).toBeCloseTo(5);
  expect(textsOf("id text")).toBeCloseTo(5);
  expect(textsOf("text a: text")).toBeCloseTo(10);
});

test.each([
  ["followed posts", "{ viewer { followed(first: 11, page: 25) { totalCount } } }"],
  ["deletions", '{ deletions(since: "2026-01-01T00:00:00Z", first: 1) { totalCount } }'],
])("a list of %s costs 100", (_name, query) => {
  expect(costOf(query)).toBeGreaterThanOrEqual(100);
});

test("a list of categories counts its page, and the whole list as many as there were when it was read last", () => {
  const lists = ["categories(first: 100)", "categories(page: 2, first: 20)", "categories"];
  const costs = () => lists.map((list) => measure(`{ ${list} { id title } }`).cost);
  expect(costs()).toEqual([201, 41, 21]);
  recordLength("Query.categories", 300);
  expect(costs()).toEqual([201, 41, 601]);
  recordLength("Query.categories", 30_000);
  expect(costs()).toEqual([201, 41, 1_001]);
  recordLength("Query.categories", 3);
  expect(costs()).toEqual([201, 41, 21]);
});

test("a search without a size counts the ten results that it returns", () => {
  const measureSearch = (size: string) =>
    measure(`{ search(query: "a"${size}) { edges { excerpt { text } } } }`);
  expect(measureSearch("")).toEqual(measureSearch(", first: 10"));
  expect(measureSearch("").texts).toBe(10);
});

test("what is rendered on each request is expensive: a preview, and the HTML of a draft", () => {
  expect(costOf('{ previewMarkdown(text: "a") }')).toBe(500);
  const textsOf = (fields: string) =>
    measure(`{ viewer { drafts(first: 3) { nodes { ${fields} } } } }`).texts;
  expect([textsOf("description"), textsOf("descriptionHtml")]).toEqual([3, 150]);
  expect(
    measure('{ draft(id: "x") { descriptionHtml } preview(token: "y") { descriptionHtml } }').texts,
  ).toBe(100);
});
