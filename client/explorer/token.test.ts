import { parse } from "graphql";
import { expect, test } from "vitest";
import { tokenOf } from "./token.ts";

const answer = { data: { login: { token: "t" } } };

test("the token of a sign-in is kept, and no other field of that name", () => {
  const signIn = "mutation A { login(input: {}) { token } } query B { postsCount }";
  expect(tokenOf(answer, parse(signIn), "A")).toBe("t");
  expect(tokenOf(answer, parse("mutation { login { token } }"))).toBe("t");
  expect(tokenOf({ data: null }, parse("mutation { login { token } }"))).toBeUndefined();
  const others = [
    '{ login: preview(token: "x") { token: description } }',
    'mutation { login: editPost(id: "x") { token: title } }',
    "query A { login: postsCount } mutation B { login { token } }",
  ];
  for (const text of others) expect(tokenOf(answer, parse(text), "A")).toBeUndefined();
  expect(tokenOf(answer, parse(others[0]!))).toBeUndefined();
});
