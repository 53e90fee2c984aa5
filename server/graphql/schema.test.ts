import { readFileSync } from "node:fs";
import { CriticalityLevel, diff } from "@graphql-inspector/core";
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
  const responses = types.filter((type) => !["Query", "Mutation"].includes(type.name));
  const fields = responses.flatMap((type) =>
    Object.keys(type.getFields()).map((field) => `${type.name}.${field}`),
  );
  expect(fields).toContain("Viewer.email");
  expect(fields.filter((field) => /hash|password|secret/i.test(field))).toEqual([]);
});

test("each deprecation names the replacement and the date of removal", () => {
  const reasons = [...printBlogSchema().matchAll(/@deprecated(?:\(reason: "(.*)"\))?/g)].map(
    ([, reason]) => reason,
  );
  expect(reasons.length).toBeGreaterThan(0);
  for (const reason of reasons)
    expect(reason).toMatch(/Use `\w+`.* kept at least until 20\d\d-[01]\d-[0-3]\d\.$/);
});

test("nothing breaks for clients of the last release", async () => {
  const released = buildSchema(readFileSync("server/testing/released.graphql", "utf8"));
  const changes = await diff(released, buildSchema(printBlogSchema()));
  expect(changes.filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)).toEqual([]);
});
