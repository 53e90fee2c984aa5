import { expect, onTestFinished, test, vi } from "vitest";
import { startTestApp } from "../testing/app.ts";
import { createPost } from "../testing/factories.ts";
import { startWorker } from "./worker.ts";

test("B46-1: posts without HTML, as after a restore, are rendered at the start, before the first interval", async () => {
  const blog = await startTestApp();
  const { id: userId } = await blog.signUp();
  for (let n = 0; n < 25; n++) await createPost(blog.db, { userId });
  const countWithout = () => blog.db.postHtml.count({ where: { html: null } });
  expect(await countWithout()).toBe(25);
  const url = String(blog.pool.options.connectionString);
  onTestFinished(await startWorker({ url }, blog.services, async () => undefined));
  await vi.waitFor(async () => expect(await countWithout()).toBe(0), { timeout: 20_000 });
}, 30_000);
