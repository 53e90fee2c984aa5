import { gql, InMemoryCache } from "@apollo/client";
import { expect, test } from "vitest";
import { describeRow } from "./describe-row.ts";

test.each([
  ["User", "username", "Passing Guest"],
  ["Post", "title", "A passing thought"],
  ["Comment", "text", "A passing word"],
] as const)("the confirmation of a deletion names the %s", (__typename, field, name) => {
  const cache = new InMemoryCache();
  cache.writeFragment({
    fragment: gql(`fragment ${__typename}ToName on ${__typename} { id ${field} }`),
    data: { __typename, id: "a", [field]: name },
  });
  expect(describeRow(cache, __typename, "a")).toEqual({ subject: name });
});

test("the confirmation of a category's deletion says how many posts keep the name", () => {
  const cache = new InMemoryCache();
  const write = (id: string, title: string, postCount: number) =>
    cache.writeFragment({
      fragment: gql`
        fragment Row on Category {
          id
          title
          postCount
        }
      `,
      data: { __typename: "Category", id, title, postCount },
    });
  write("a", "Food", 1_204);
  write("b", "Craft", 1);
  write("c", "Books", 0);
  expect(describeRow(cache, "Category", "a")).toEqual({
    subject: "Food",
    consequence: "1,204 posts keep the name.",
  });
  expect(describeRow(cache, "Category", "b").consequence).toBe("1 post keeps the name.");
  expect(describeRow(cache, "Category", "c")).toEqual({ subject: "Books", consequence: undefined });
});
