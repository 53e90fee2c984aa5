import { createHash } from "node:crypto";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectral from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import fastify from "fastify";
import { beforeAll, describe, expect, test } from "vitest";
import { contextsOf } from "../../testing/accounts.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createResponseValidator, type ApiDocument } from "../../testing/api-document.ts";
import { restRoutes } from "./plugin.ts";

let blog: TestApp;
let document: ApiDocument & Record<string, any>;
beforeAll(async () => {
  blog = await startTestApp();
  document = (await blog.app.inject("/api/openapi.json")).json();
});

test("the document is hashed once, and sent to those who have another one", async () => {
  const ask = (headers = {}) => blog.app.inject({ url: "/api/openapi.json", headers });
  const { body, headers } = await ask();
  expect(headers.etag).toBe(`"${createHash("sha256").update(body).digest("base64url")}"`);
  expect((await ask({ "if-none-match": headers.etag })).statusCode).toBe(304);
  expect((await ask({ "if-none-match": '"another"' })).statusCode).toBe(200);
});

test("the document passes all rules of Spectral for OpenAPI 3.1", async () => {
  const linter = new spectral.Spectral();
  const excused = {
    // The blog knows its address, but nobody's name.
    "contact-properties": "off",
    // OpenAPI 3.1 has SPDX identifiers instead.
    "license-url": "off",
  } as const;
  linter.setRuleset({ extends: [[oas as spectral.RulesetDefinition, "all"]], rules: excused });
  const problems = await linter.run(document);
  expect(problems.map(({ code, message, path }) => [code, message, path.join(".")])).toEqual([]);
  expect(document).toMatchObject({ openapi: "3.1.1", servers: [{ url: "http://blog.test/api" }] });
});

test("the document passes the recommended rules of Redocly", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});

test("the document covers exactly the routes of the router", async () => {
  const app = fastify();
  const routes: string[] = [];
  app.addHook("onRoute", ({ method, url }) => {
    for (const each of [method].flat()) if (each !== "HEAD") routes.push(`${each} ${url}`);
  });
  const createContexts = async () => contextsOf(blog);
  await app.register(restRoutes, { createContexts, publicUrl: "http://blog.test" });
  const docs = ["", "/theme.js", "/start.js", "/docs.css", "/*"].map((file) => `GET /docs${file}`);
  const own = ["GET /", "GET /*", "GET /openapi.json", ...docs];
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`),
  );
  expect(described.length).toBeGreaterThan(25);
  expect([...described, ...own].sort()).toEqual(routes.sort());
});

test("every operation has its security, its input and a problem for each error", () => {
  const names = new Set<string>();
  for (const operations of Object.values(document.paths))
    for (const operation of Object.values(operations) as any[]) {
      names.add(operation.operationId);
      expect(operation.description).toMatch(/\S/);
      const statuses = Object.keys(operation.responses);
      expect(statuses.filter((status) => /^20[01]$/.test(status))).toHaveLength(1);
      expect(statuses).toEqual(expect.arrayContaining(["400", "500", "503"]));
      expect(statuses.includes("401")).toBe(operation.security.length > 0);
      for (const status of statuses.filter((each) => each >= "400"))
        expect(operation.responses[status].content["application/json"].schema.$ref).toMatch(/\/Problem$/);
    }
  expect(names.size).toBe(Object.values(document.paths).flatMap((each) => Object.keys(each)).length);
});

test("bodies have the limits of the domain", () => {
  const bodyOf = (path: string, method: string, type = "application/json") =>
    (document.paths[path]?.[method] as any).requestBody.content[type].schema;
  expect(bodyOf("/auth/register", "post")).toMatchObject({
    required: ["username", "email", "password"],
    additionalProperties: false,
    properties: {
      username: { minLength: 2, maxLength: 100 },
      email: { minLength: 5, maxLength: 100, format: "email" },
      password: { minLength: 8, maxLength: 128 },
    },
  });
  const form = bodyOf("/posts", "post", "multipart/form-data");
  expect(form.required).toEqual(["title", "description", "category", "image"]);
  expect(form.properties).toMatchObject({
    description: { minLength: 10, maxLength: 50_000 },
    image: { type: "string", format: "binary" },
  });
  expect((document.paths["/posts/{id}"]?.["put"] as any).requestBody.required).toBe(false);
  for (const schema of [
    bodyOf("/auth/register", "post"),
    bodyOf("/posts/{id}", "put"),
    bodyOf("/comments", "post"),
  ])
    for (const property of Object.values<any>(schema.properties)) expect(property.examples).toHaveLength(1);
});

describe("the test client checks responses against the document:", () => {
  const responseOf = (body: object, status = 200) => ({ status, body, text: JSON.stringify(body) });
  const category = {
    ...{ _id: "00000000-0000-4000-8000-000000000031", id: "00000000-0000-4000-8000-000000000031" },
    ...{ title: "Craft", user: null },
    ...{ createdAt: "2026-11-21T09:30:00.000Z", updatedAt: "2026-11-21T09:30:00.000Z" },
  };

  test("a documented response passes", () => {
    const validateResponse = createResponseValidator(document);
    validateResponse("GET", "/api/categories", responseOf([category]));
    validateResponse(
      "GET",
      "/api/posts/12-34",
      responseOf({ message: "invalid id", code: "BAD_USER_INPUT" }, 400),
    );
    validateResponse(
      "GET",
      "/api/nothing",
      responseOf({ message: "there is no GET /api/nothing", code: "NOT_FOUND" }, 404),
    );
  });

  test.each([
    ["an extra field", "/api/categories", responseOf([{ ...category, titleKey: "craft" }])],
    ["a missing field", "/api/categories", responseOf([{ ...category, title: undefined }])],
    ["another type", "/api/posts/count", responseOf({ count: 3 })],
    ["an undocumented status", "/api/categories", responseOf({ message: "no", code: "CONFLICT" }, 409)],
    ["a code of another status", "/api/categories", responseOf({ message: "no", code: "NOT_FOUND" }, 400)],
    ["an error without a message", "/api/nothing", responseOf({ message: "", code: "NOT_FOUND" }, 404)],
    ["a success of an unknown path", "/api/nothing", responseOf({ anything: 1 })],
  ])("%s throws", (_name, url, response) => {
    expect(() => createResponseValidator(document)("GET", url, response)).toThrow(/documented/);
  });
});
