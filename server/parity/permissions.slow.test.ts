import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestResponse } from "../testing/app.ts";
import {
  authCases,
  invalidTokenCases,
  seedForAuthCases,
  restoreSeed,
  type AuthCase,
  type Refusal,
} from "../testing/auth-cases.ts";
import { schemaOperations, operationOf, routeOf, startRouteInventory } from "../testing/route-inventory.ts";
import { sendInGraphql, sendInRest, type ParityCall } from "../testing/parity.ts";
import { routesForAll, rows } from "../testing/permission-rows.ts";
import { snapshotOf } from "../testing/snapshots.ts";
import { statusOf } from "../errors.ts";

let blog: Awaited<ReturnType<typeof startRouteInventory>>["blog"];
let routes: Awaited<ReturnType<typeof startRouteInventory>>["routes"];
let tokens: Record<AuthCase, string | null>;
let snapshot: string;
let cells = 0;
beforeAll(async () => {
  ({ blog, routes } = await startRouteInventory());
  tokens = await seedForAuthCases(blog);
  snapshot = await snapshotOf(blog);
});
afterAll(() => console.info(`${cells} cells of the permission matrix were tried`));

const isDead = (bearer: AuthCase) => (invalidTokenCases as readonly AuthCase[]).includes(bearer);

/** Restores the data after a change. */
async function ask(call: () => Promise<TestResponse>) {
  cells++;
  const response = await call();
  const hasChanged = (await snapshotOf(blog)) !== snapshot;
  if (hasChanged) {
    await restoreSeed(blog);
    snapshot = await snapshotOf(blog);
  }
  return { ...response, hasChanged };
}

type Outcome = Awaited<ReturnType<typeof ask>>;

function expectGraphql({ status, body, hasChanged }: Outcome, bearer: AuthCase, refusal?: Refusal) {
  expect(status).toBe(200);
  expect(body.extensions?.session).toBe(isDead(bearer) ? "ended" : undefined);
  if (!refusal) return expect(body.errors).toBeUndefined();
  expect(body.errors).toMatchObject([{ message: refusal.message, extensions: { code: refusal.code } }]);
  expect([body.data, hasChanged]).toEqual([null, false]);
}

function expectRest({ status, body, hasChanged }: Outcome, refusal?: Refusal) {
  if (!refusal) return expect(status).toBeOneOf([200, 201]);
  expect([status, body]).toEqual([statusOf[refusal.code], refusal]);
  expect(hasChanged).toBe(false);
}

const graphqlRows = rows.flatMap(([rule, graphql]) =>
  graphql ? [{ rule, graphql, name: operationOf(graphql.query) }] : [],
);
const restRows = rows.flatMap(([rule, , rest]) =>
  rest ? [{ rule, rest, name: `${rest.method} ${rest.path}` }] : [],
);

describe.each(graphqlRows)("$name", ({ rule, graphql, name }) => {
  test.each(authCases)("by %s", async (bearer) => {
    const response = await ask(() => sendInGraphql(blog, graphql, tokens[bearer]));
    expectGraphql(response, bearer, rule[bearer]);
    if (rule[bearer]) return;
    expect(response.hasChanged).toBe(name.startsWith("Mutation."));
    if (!response.hasChanged && isDead(bearer))
      expect(response.body.data).toEqual((await sendInGraphql(blog, graphql, null)).body.data);
  });
});

/** The verify link of an email is a GET that writes. */
const isRead = ({ method, path }: ParityCall["rest"]) => method === "GET" && !path.includes("/verify/");

describe.each(restRows)("$name", ({ rule, rest }) => {
  test.each(authCases)("by %s", async (bearer) => {
    const response = await ask(() => sendInRest(blog, rest, tokens[bearer]));
    expectRest(response, rule[bearer]);
    if (rule[bearer]) return;
    expect(response.hasChanged).toBe(!isRead(rest));
    if (isRead(rest) && isDead(bearer))
      expect(response.body).toEqual((await sendInRest(blog, rest, null)).body);
  });
});

describe("the table has a row", () => {
  test("for every operation of the schema", () => {
    expect(new Set(graphqlRows.map(({ name }) => name))).toEqual(new Set(schemaOperations));
  });

  test("for every route that does not treat all callers alike", () => {
    const called = restRows.map(({ rest }) => routeOf(routes, { ...rest, path: `/api${rest.path}` }));
    const left = routes
      .filter((route) => !called.includes(route))
      .map(({ method, url }) => `${method} ${url}`);
    expect(left.filter((route) => !routesForAll.some(([pattern]) => pattern.test(route)))).toEqual([]);
    expect(called.length).toBeGreaterThan(25);
  });
});
