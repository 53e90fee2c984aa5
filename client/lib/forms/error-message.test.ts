import { CombinedGraphQLErrors, ServerError, ServerParseError } from "@apollo/client";
import { expect, test } from "vitest";
import { messageOf } from "./error-message.ts";

const responseWith = (status: number) => new Response("<html>", { status });

test("the server's message takes precedence", () => {
  const error = new CombinedGraphQLErrors({ errors: [{ message: "post not found" }] } as never);
  expect(messageOf(error)).toBe("post not found");
});

test.each([
  [413, /^The file is too large for this site/],
  [502, /^The site is not available at the moment/],
  [504, /^The site took too long to answer/],
])("row 9: a proxy's HTML error page with status %i becomes a message", (status, pattern) => {
  const options = { response: responseWith(status), bodyText: "<html>" };
  expect(messageOf(new ServerError("refused", options))).toMatch(pattern);
  expect(messageOf(new ServerParseError(new SyntaxError("no JSON"), options))).toMatch(pattern);
});

test("any other error means that the server cannot be reached", () => {
  expect(messageOf(new TypeError("Failed to fetch"))).toMatch(/^The server cannot be reached/);
});
