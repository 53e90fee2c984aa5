import { beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createUser } from "../../testing/factories.ts";
import { DEMO_PASSWORD } from "./common-passwords.ts";
import { hashPassword } from "./passwords.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  await createUser(blog.db, { email: "admin@example.com", isAdmin: true, passwordHash });
});

const credentials = { email: "admin@example.com", password: DEMO_PASSWORD };
const json = { "content-type": "application/json", host: "localhost:4000" };

const logIn = (headers: Record<string, string> = {}, address?: string) =>
  blog.send("POST", "/api/auth/login", null, credentials, { ...json, ...headers }, address);

describe("H7: the published demo password", () => {
  test("is accepted on this machine", async () => {
    for (const host of ["localhost:4000", "127.0.0.1", "[::1]:4000"])
      expect((await logIn({ host })).body).toMatchObject({ isAdmin: true });
  });

  test.each([
    ["x-forwarded-for", "127.0.0.1"],
    ["x-forwarded-host", "localhost"],
    ["x-forwarded-proto", "https"],
    ["x-real-ip", "127.0.0.1"],
    ["forwarded", "for=127.0.0.1"],
    ["via", "1.1 proxy"],
    ["host", "blog.example.org"],
    ["origin", "https://blog.example.org"],
  ])("is rejected with the header %s: %s", async (name, value) => {
    const { status, body } = await logIn({ [name]: value });
    expect([status, body.message]).toEqual([400, "invalid email or password"]);
  });

  test("is rejected from another machine, also in GraphQL", async () => {
    expect((await logIn({}, "203.0.113.9")).status).toBe(400);
    const query = `mutation ($input: LoginInput!) { login(input: $input) { token } }`;
    const headers = { ...json, "x-forwarded-for": "203.0.113.9" };
    const { body } = await blog.send(
      "POST",
      "/graphql",
      null,
      { query, variables: { input: credentials } },
      headers,
    );
    expect(body.errors[0].message).toBe("invalid email or password");
  });

  test("cannot be set for an account", async () => {
    const account = { username: "Demo", email: "d@example.org", password: DEMO_PASSWORD };
    const { body } = await blog.rest("POST", "/auth/register", null, account);
    expect(body.message).toBe('"password" is too common, please choose another');
  });
});
