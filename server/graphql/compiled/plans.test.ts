import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
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
