import { CombinedGraphQLErrors, ServerError, ServerParseError } from "@apollo/client";
import { expect, test } from "vitest";
import { messageOf } from "./error-message.ts";

const answer = (status: number) => new Response("<html>", { status });

test("the server's own words come first", () => {
  const error = new CombinedGraphQLErrors({ errors: [{ message: "post not found" }] } as never);
  expect(messageOf(error)).toBe("post not found");
});

test.each([
  [413, /^The file is too large for this site/],
  [502, /^The site is not available at the moment/],
  [504, /^The site took too long to answer/],
])("row 9: what a proxy refuses with %i and a page of its own is told in words", (status, words) => {
  const options = { response: answer(status), bodyText: "<html>" };
  expect(messageOf(new ServerError("refused", options))).toMatch(words);
  expect(messageOf(new ServerParseError(new SyntaxError("no JSON"), options))).toMatch(words);
});

test("everything else is a server that cannot be reached", () => {
  expect(messageOf(new TypeError("Failed to fetch"))).toMatch(/^The server cannot be reached/);
});
