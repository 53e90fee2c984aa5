import { expect, test } from "vitest";
import { startTestApp } from "../testing/app.ts";
import { createPost } from "../testing/factories.ts";
import { openPlans } from "./compiled/plans.ts";
import { buildBlogSchema } from "./schema.ts";

test("the documents of a page are measured and compiled once, not for each page", async () => {
  const plans = openPlans(buildBlogSchema());
  const planned = new Set<unknown>();
  const ofPage: typeof plans.ofPage = (...words) => {
    const plan = plans.ofPage(...words);
    planned.add(plan);
    return plan;
  };
  const blog = await startTestApp({ plans: { ...plans, ofPage } });
  const maya = await blog.signUp();
  await createPost(blog.db, { userId: maya.id, title: "Slate" });
  const render = async () => (await blog.app.inject("/")).body;
  expect(await render()).toContain("Slate");
  const { size } = planned;
  expect(size).toBeGreaterThan(0);
  expect(await render()).toContain("Slate");
  expect(planned.size).toBe(size);
});
