import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { getOperationAST, parse, type GraphQLInterfaceType } from "graphql";
import { expect, test } from "vitest";
import { startTestApp } from "../../testing/app.ts";
import { buildBlogSchema } from "../schema.ts";
import { createCompileQueue } from "./compile-queue.ts";
import { openPlans } from "./plans.ts";

test("new documents are interpreted until a queue has compiled them, those of the client are compiled at once", async () => {
  const queue: (() => void)[] = [];
  const plans = openPlans(buildBlogSchema(), { schedule: (work) => queue.push(work) > 0 });
  const blog = await startTestApp({ plans });
  const query = `{ ${Array.from({ length: 49 }, (_, n) => `a${n}: postsCount`).join(" ")} }`;
  const [first, second, third] = [await blog.gql(query), await blog.gql(query), await blog.gql(query)];
  expect([second.body, third.body]).toEqual([first.body, first.body]);
  expect(queue).toHaveLength(1);
  queue[0]?.();
  expect((await blog.gql(query)).body).toEqual(first.body);
  const manifest = JSON.parse(readFileSync("dist/server/persisted-documents.json", "utf8"));
  const own = (Object.values(manifest) as string[]).find((source) => source.startsWith("query PostFields"));
  for (let n = 0; n < 3; n++) expect((await blog.gql(own ?? "")).body.errors).toBeUndefined();
  expect(queue).toHaveLength(1);
});

test("compilations run one by one and take a fifth of the time, and twenty wait", async () => {
  const schedule = createCompileQueue();
  const times: number[] = [];
  const work = () => {
    times.push(performance.now());
    while (performance.now() < times.at(-1)! + 10);
  };
  const accepted = Array.from({ length: 22 }, () => schedule(work));
  expect([times.length, accepted.filter(Boolean).length]).toEqual([0, 20]);
  await setTimeout(180);
  expect(times.length).toBeGreaterThan(1);
  expect(times.length).toBeLessThanOrEqual(4);
  for (const [n, time] of times.slice(1).entries()) expect(time - times[n]!).toBeGreaterThan(45);
});

test("compiled code that fails where the interpreter does not is reported once, and used no more", async () => {
  const schema = buildBlogSchema();
  const failures: unknown[] = [];
  const plans = openPlans(schema, {
    schedule: (work) => (work(), true),
    reportFault: (error) => failures.push(error),
  });
  const blog = await startTestApp({ plans });
  // The interpreter waits for the name of a type, compiled code does not.
  (schema.getType("Node") as GraphQLInterfaceType).resolveType = () => Promise.resolve("Profile");
  const { id } = await blog.signUp();
  const read = () => blog.gql("query ($id: ID!) { node(id: $id) { id } }", { id });
  for (let n = 0; n < 4; n++) expect((await read()).body).toEqual({ data: { node: { id } } });
  expect(failures).toHaveLength(1);
});

test("COMPILED_QUERIES=off: Apollo executes, and no plan is cached", async () => {
  const apollos = await startTestApp({ compiledQueries: false });
  const off = openPlans(buildBlogSchema(), { isOn: false });
  const document = parse("{ postsCount }");
  off.store("{ postsCount }", undefined, off.make(document, getOperationAST(document)!));
  expect(off.find("{ postsCount }", undefined)).toBeUndefined();
  for (const _ of [1, 2]) expect((await apollos.gql("{ postsCount }")).body.data).toEqual({ postsCount: 0 });
});
