import { readFileSync } from "node:fs";
import fc from "fast-check";
import { getOperationAST, parse, validate, Kind, type TypeNode, type VariableDefinitionNode } from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createCategory, createComment, createPost } from "../../testing/factories.ts";
import { documents } from "../../testing/malformed-graphql.ts";
import { openPlans } from "./plans.ts";
import { buildBlogSchema } from "../schema.ts";

const schema = buildBlogSchema();
const manifest = Object.entries(
  JSON.parse(readFileSync("dist/server/persisted-documents.json", "utf8")) as Record<string, string>,
);
const failures: unknown[] = [];
const real = openPlans(schema, {
  schedule: (work) => (work(), true),
  reportFault: (error) => failures.push(error),
});
const counter = { isEnabled: true, found: 0 };
const plans: typeof real = {
  ...real,
  find: (...words) => {
    const plan = counter.isEnabled ? real.find(...words) : undefined;
    if (plan) counter.found++;
    return plan;
  },
};

let blog: TestApp;
let tokens: Record<"visitor" | "user" | "admin" | "ended", string | null>;
let ids: Record<"post" | "user" | "comment", string>;
beforeAll(async () => {
  blog = await startTestApp({ plans });
  blog.services.rateLimitsEnabled = false;
  const maya = await blog.signUp({ username: "Maya" });
  const admin = await blog.signUp({ username: "Ada", isAdmin: true });
  tokens = { visitor: null, user: maya.token, admin: admin.token, ended: "no longer" };
  await createCategory(blog.db, "Craft");
  const posts = await Promise.all(
    [maya, admin, maya, maya].map(({ id }) => createPost(blog.db, { userId: id, category: "Craft" })),
  );
  const post = posts[0]!.id;
  const comment = await createComment(blog.db, { postId: post, userId: maya.id });
  await createComment(blog.db, { postId: post, userId: admin.id });
  await blog.db.like.create({ data: { postId: post, userId: admin.id } });
  ids = { post, user: maya.id, comment: comment.id };
});

type Request = { method?: "GET" | "POST"; url?: string; payload?: unknown; headers?: object };

async function send(isEnabled: boolean, request: Request, token: string | null) {
  counter.isEnabled = isEnabled;
  const response = await blog.app.inject({
    ...{ method: "POST", url: "/graphql", ...request },
    payload: request.payload === undefined ? undefined : JSON.stringify(request.payload),
    headers: {
      "content-type": "application/json",
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...request.headers,
    },
  });
  const { "x-request-id": id, date: _, etag, ...headers } = response.headers;
  const body = response.body.replaceAll(String(id), "THIS REQUEST");
  return { status: response.statusCode, headers, body, etag: body === response.body && etag };
}

/** Masks values that differ between two executions of a mutation. */
const masked = ({ etag: _, ...response }: Awaited<ReturnType<typeof send>>) => ({
  ...response,
  body: response.body
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "NOW")
    .replace(/[\da-f-]{36}/g, "ID")
    .replace(/"commentCount":\d/, ""),
});

/** Compares Apollo's response with the plan's. Caches a plan also where Apollo returned errors. */
async function compare(
  request: Request,
  token: string | null,
  select: (response: any) => unknown = (all) => all,
) {
  const expected = await send(false, request, token);
  const { query, operationName } = (request.payload ?? {}) as { query?: unknown; operationName?: string };
  if (typeof query === "string") cachePlan(query, operationName ?? undefined);
  const before = counter.found;
  expect(select(await send(true, request, token))).toEqual(select(expected));
  return { ...expected, isKnown: counter.found > before };
}

function cachePlan(source: string, operationName: string | undefined): void {
  if (real.find(source, operationName)) return;
  try {
    const document = parse(source, { maxTokens: 2_000 });
    const operation = getOperationAST(document, operationName);
    if (operation && validate(schema, document).length === 0)
      real.store(source, operationName, real.make(document, operation));
  } catch {
    // A syntax error, which Apollo reports.
  }
}

describe("the client's own operations get exactly Apollo's response", () => {
  const missing = "00000000-0000-4000-8000-000000000000";
  const namesOf = (source: string) =>
    parse(source).definitions.flatMap((each) =>
      each.kind === Kind.OPERATION_DEFINITION ? [`${each.operation} ${each.name?.value}`] : [],
    );
  const operations = manifest.map(([hash, source]) => ({ name: namesOf(source)[0] ?? "", hash, source }));
  const definitionsIn = (source: string) =>
    parse(source).definitions.flatMap((each) =>
      each.kind === Kind.OPERATION_DEFINITION ? (each.variableDefinitions ?? []) : [],
    );
  const typeOf = (type: TypeNode): string =>
    type.kind === Kind.NAMED_TYPE ? type.name.value : typeOf(type.type);
  const valueOf = (definition: VariableDefinitionNode, id: string): unknown => {
    const type = typeOf(definition.type);
    if (type === "ID") return id;
    if (type === "Int") return 1;
    return type === "String" ? "" : {};
  };
  const variablesOf = (source: string, id: string) =>
    Object.fromEntries(definitionsIn(source).map((each) => [each.variable.name.value, valueOf(each, id)]));

  test("the manifest has operations", () => expect(operations.length).toBeGreaterThan(30));

  test.each(operations)("$name", async ({ source, hash, name }) => {
    const writes = name.startsWith("mutation");
    // Mutations get missing ids, so that both executions meet the same rows.
    const targets = writes ? [missing, "no id"] : [ids.post, ids.user, missing, "no id"];
    const isEnding = name.includes("Logout");
    const callers = Object.values(tokens).filter((token) => !isEnding || token === null);
    for (const token of callers)
      for (const id of targets) {
        const variables = variablesOf(source, id);
        const { isKnown, status } = await compare({ payload: { query: source, variables } }, token);
        expect(isKnown, `${status}`).toBe(true);
        await compare({ payload: { documentId: `sha256:${hash}`, variables } }, token);
        const search = new URLSearchParams({ documentId: hash, variables: JSON.stringify(variables) });
        const byGet = await compare({ method: "GET", url: `/graphql?${search.toString()}` }, token);
        if (!writes) expect(byGet.isKnown).toBe(true);
      }
  });

  test.each([
    ["LikePost", () => ({ id: ids.post })],
    ["UnlikePost", () => ({ id: ids.post })],
    ["CreateComment", () => ({ postId: ids.post, text: "Well said." })],
    ["UpdateComment", () => ({ id: ids.comment, text: "Well thought." })],
    ["UpdatePost", () => ({ id: ids.post, input: { title: "A better title" } })],
    ["UpdateProfile", () => ({ id: ids.user, input: { bio: "Writes." } })],
    ["DeletePost", () => ({ id: ids.post })],
  ])("%s, when it succeeds", async (name, variables) => {
    const { source } = operations.find((each) => each.name === `mutation ${name}`) ?? { source: "" };
    const select = name === "DeletePost" ? () => null : masked;
    const { body, isKnown } = await compare(
      { payload: { query: source, variables: variables() } },
      tokens.user,
      select,
    );
    expect(JSON.parse(body).errors).toBeUndefined();
    expect(isKnown).toBe(true);
  });
});

describe("requests of any form get Apollo's response", () => {
  const query = "query A($n: Int) { posts(first: $n) { nodes { id title } } } query B { postsCount }";
  const named = { query, operationName: "A" };
  test.each<[string, Request, boolean]>([
    ["a name among several", { payload: { ...named, variables: { n: 2 } } }, true],
    ["another name", { payload: { query, operationName: "B" } }, true],
    ["no name among several", { payload: { query } }, false],
    ["an unknown name", { payload: { query, operationName: "C" } }, false],
    ["an empty name", { payload: { query, operationName: "" } }, false],
    ["nothing but null", { payload: { ...named, variables: null, extensions: null } }, true],
    ["variables of a wrong type", { payload: { ...named, variables: { n: "two" } } }, true],
    ["variables as text", { payload: { ...named, variables: "{}" } }, false],
    ["variables as a list", { payload: { ...named, variables: [] } }, false],
    ["more than the limit", { payload: { ...named, variables: { n: 101 } } }, true],
    ["its cost", { payload: { ...named, extensions: { cost: true } } }, true],
    ["its cost by a header", { payload: named, headers: { "x-graphql-cost": "1" } }, true],
    ["another extension", { payload: { ...named, extensions: { trace: true } } }, true],
    ["a batch", { payload: [named] }, false],
    ["nothing", { payload: {} }, false],
    ["a number", { payload: { query: 1 } }, false],
    ["another content type", { payload: named, headers: { "content-type": "text/plain" } }, false],
    ["the schema", { payload: { query: "{ __schema { queryType { name } } }" } }, true],
    ["a directive", { payload: { query: "{ postsCount @skip(if: true) __typename }" } }, true],
  ])("%s", async (_name, request, isKnown) => {
    for (const token of Object.values(tokens)) expect((await compare(request, token)).isKnown).toBe(isKnown);
  });

  test.each([
    undefined,
    ...["*/*", "application/json", "application/json, */*", "text/html", "application/graphql-response+json"],
    ...["application/graphql-response+json, application/json;q=0.9", "image/png", "multipart/mixed, */*"],
    "application/graphql-response+json,application/json;q=0.9",
  ])("with Accept: %s", async (accept) => {
    for (const source of ["{ postsCount }", "{ usersCount }", "{ post(id: 7.5) { id } }", "{ nothing }", "{"])
      await compare({ payload: { query: source }, headers: accept === undefined ? {} : { accept } }, null);
  });

  test.each([
    ["a query", "query={postsCount}", {}],
    ["a query twice", "query={postsCount}&query={postsCount}", {}],
    ["variables", `query=query($n:Int){posts(first:$n){nodes{id}}}&variables={"n":2}`, {}],
    ["null as variables", `query=query($n:Int){posts(first:$n){nodes{id}}}&variables=null`, {}],
    ["variables that are not JSON", `query={postsCount}&variables={`, {}],
    ["a mutation", `query=mutation{logout{message}}`, {}],
    ["no content type, as from another site", "query={postsCount}", { "content-type": undefined }],
    ["an invalid percent encoding", "query=%7BpostsCount%7D%zz", {}],
    ["the cost", `query={postsCount}&extensions={"cost":true}`, {}],
    ["nothing", "", {}],
  ])("by GET: %s", async (_name, search, headers) => {
    const query = new URLSearchParams(search).get("query");
    if (query) cachePlan(query, undefined);
    const url = `/graphql?${search}`.replaceAll("{", "%7B").replaceAll("}", "%7D").replaceAll('"', "%22");
    await compare({ method: "GET", url, headers }, null);
  });
});

describe("errors are the same as Apollo's", () => {
  const update = "mutation ($id: ID!, $t: String) { updatePost(id: $id, input: { title: $t }) { id } }";
  const missing = { id: "00000000-0000-4000-8000-000000000000", t: "A title" };
  test.each<[string, keyof typeof tokens, string, object]>([
    ["UNAUTHENTICATED", "visitor", "mutation { logout { message } }", {}],
    ["FORBIDDEN", "user", "{ comments { nodes { id } } }", {}],
    ["NOT_FOUND", "user", update, missing],
    ["BAD_USER_INPUT", "user", update, { id: "12-34", t: "" }],
    ["CONFLICT", "admin", `mutation { createCategory(title: "cRAFT") { id } }`, {}],
    ["BAD_USER_INPUT", "admin", "{ a: postsCount b: post(id: 3) { id } usersCount }", {}],
    ["BAD_USER_INPUT", "visitor", "query ($id: ID!) { post(id: $id) { id } }", {}],
    [
      "BAD_USER_INPUT",
      "visitor",
      `{ ${"a: posts(first: 100) { nodes { comments(first: 100) { nodes { id } } } } "} }`,
      {},
    ],
  ])("%s for a %s: %s", async (code, who, query, variables) => {
    const { body } = await compare({ payload: { query, variables } }, tokens[who]);
    expect(body).toContain(`"code":"${code}"`);
  });

  test("RATE_LIMITED", async () => {
    blog.services.rateLimitsEnabled = true;
    const query = `mutation { login(input: { email: "nobody@example.com", password: "wrong" }) { token } }`;
    for (let n = 0; n < 12; n++) await send(false, { payload: { query } }, null);
    const select = (response: object) =>
      JSON.parse(JSON.stringify(response).replace(/\b3(600|5\d\d)\b/g, "3600"));
    const { body, isKnown } = await compare({ payload: { query } }, null, select);
    blog.services.rateLimitsEnabled = false;
    expect([body.includes(`"code":"RATE_LIMITED"`), isKnown]).toEqual([true, true]);
  });

  test.each([
    ["INTERNAL_SERVER_ERROR", new Error("a secret")],
    ["UNAVAILABLE", Object.assign(new Error("connect"), { code: "ECONNREFUSED" })],
  ])("%s", async (code, error) => {
    const { queries } = blog.services;
    Object.assign(blog.services, { queries: { ...queries, countPosts: () => Promise.reject(error) } });
    const { body, isKnown } = await compare({ payload: { query: "{ postsCount }" } }, null);
    Object.assign(blog.services, { queries });
    expect([body.includes(`"code":"${code}"`), isKnown]).toEqual([true, true]);
  });
});

test("the cache is bounded, and evicts the least recently used plan", () => {
  const plans = openPlans(schema);
  const [first = "", ...others] = Array.from(
    { length: 60 },
    (_, n) => `{ a${n}: postsCount #${"-".repeat(15_000)}\n}`,
  );
  for (const source of [first, ...others]) {
    const document = parse(source);
    plans.store(source, undefined, plans.make(document, getOperationAST(document)!));
  }
  expect(plans.find(first, undefined)).toBeUndefined();
  expect(others.filter((source) => plans.find(source, undefined)).length).toBeGreaterThan(20);
});

test("2 000 random documents with random variables get Apollo's response", { timeout: 240_000 }, async () => {
  const before = counter.found;
  await fc.assert(
    fc.asyncProperty(
      documents(schema, Object.values(ids), ["query"]),
      fc.constantFrom(...Object.values(tokens)),
      fc.constantFrom("application/json", "application/graphql-response+json", "*/*"),
      async (payload, token, accept) => void (await compare({ payload, headers: { accept } }, token)),
    ),
    { numRuns: 2_000, seed: 20_261_121, endOnFailure: true },
  );
  expect(counter.found - before).toBeGreaterThan(1_500);
  expect(failures).toEqual([]);
});
