import { readFileSync } from "node:fs";
import { buildSchema, findBreakingChanges, isEnumType, isObjectType } from "graphql";
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

test("every type, field, argument and value is described", () => {
  const undescribed: string[] = [];
  const note = (each: { description?: string | null | undefined }, path: string) => {
    if (!each.description) undescribed.push(path);
  };
  for (const type of Object.values(buildBlogSchema().getTypeMap())) {
    if (type.name.startsWith("__")) continue;
    note(type, type.name);
    if (isEnumType(type)) for (const value of type.getValues()) note(value, `${type.name}.${value.name}`);
    if (!("getFields" in type)) continue;
    for (const field of Object.values(type.getFields())) {
      note(field, `${type.name}.${field.name}`);
      for (const each of "args" in field ? field.args : [])
        note(each, `${type.name}.${field.name}(${each.name})`);
    }
  }
  expect(undescribed).toEqual([]);
});

test("each deprecation names the replacement and the date of removal", () => {
  const reasons = [...printBlogSchema().matchAll(/@deprecated(?:\(reason: "(.*)"\))?/g)].map(
    ([, reason]) => reason,
  );
  expect(reasons.length).toBeGreaterThan(0);
  for (const reason of reasons)
    expect(reason).toMatch(/Use `\w+`.* kept at least until 20\d\d-[01]\d-[0-3]\d\.$/);
});

test("nothing breaks for clients of the last release", () => {
  const released = buildSchema(readFileSync("server/testing/released.graphql", "utf8"));
  expect(findBreakingChanges(released, buildBlogSchema())).toEqual([]);
});
