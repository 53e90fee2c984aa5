import { beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { times } from "../../testing/hostile-documents.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});

test.each([
  ["thousands of levels", `{"query":"{ postsCount }","variables":{"a":${"[".repeat(98_000)}`],
  [
    "thousands of keys",
    `{"query":"{ postsCount }","variables":{${times(9_000, (n) => `"k${n}":1`).join()}}}`,
  ],
])("a body with %s is refused before it is parsed", async (_name, payload) => {
  const headers = { "content-type": "application/json" };
  const response = await blog.app.inject({ method: "POST", url: "/graphql", headers, payload });
  expect(response.statusCode).toBe(400);
  expect(response.json()).toMatchObject({
    errors: [{ message: "the request has too many values", extensions: { code: "BAD_USER_INPUT" } }],
  });
});
