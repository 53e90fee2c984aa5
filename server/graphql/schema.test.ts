import { readFileSync } from "node:fs";
import { buildSchema, isObjectType } from "graphql";
import { expect, test } from "vitest";
import { buildBlogSchema, printBlogSchema } from "./schema.ts";

test("schema.graphql matches the code; `npm run blog -- schema` updates it", () => {
  expect(readFileSync("schema.graphql", "utf8")).toBe(printBlogSchema());
});

test("schema.graphql is valid SDL", () => {
  const read = buildSchema(readFileSync("schema.graphql", "utf8"));
  expect(Object.keys(read.getTypeMap()).sort()).toEqual(Object.keys(buildBlogSchema().getTypeMap()).sort());
});

test("no output type has a field for a secret", () => {
  const types = Object.values(buildBlogSchema().getTypeMap()).filter(isObjectType);
  const answers = types.filter((type) => !["Query", "Mutation"].includes(type.name));
  const fields = answers.flatMap((type) =>
    Object.keys(type.getFields()).map((field) => `${type.name}.${field}`),
  );
  expect(fields).toContain("Viewer.email");
  expect(fields.filter((field) => /hash|password|secret/i.test(field))).toEqual([]);
});
