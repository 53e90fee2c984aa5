import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createCategory, createPost } from "../../testing/factories.ts";
import { queueIfLong } from "./lists.ts";

const origin = "127.0.0.1";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
  const { id: userId } = await blog.signUp();
  await createCategory(blog.db, "Craft");
  for (let n = 0; n < 3; n++)
    await createPost(blog.db, { userId, category: "Craft", description: "Long. ".repeat(8_000) });
});

// R32B: one network kept the feeds of all others waiting, since they have one permit.
test.each(["/feed.xml", "/posts/categories/Craft/feed.json", "/api/posts"])(
  "%s does not wait behind other reads of texts of its network",
  async (url) => {
    await queueIfLong(true, origin, async () => [{ text: "x".repeat(10_000) }]);
    let release = () => {};
    const other = queueIfLong(true, origin, () => new Promise<null>((done) => (release = () => done(null))));
    const began = performance.now();
    const { statusCode, body } = await blog.app.inject({ url, remoteAddress: origin });
    expect([statusCode, body.length > 100_000]).toEqual([200, true]);
    expect(performance.now() - began).toBeLessThan(4_000);
    release();
    await other;
  },
);

test("R32A: of a burst of one network only some reads begin before the length of any is known", async () => {
  let [running, most] = [0, 0];
  const reads = Array.from({ length: 100 }, () =>
    queueIfLong(true, "192.0.2.1", async () => {
      most = Math.max(most, ++running);
      await sleep(20);
      running--;
      return [{ text: "x".repeat(10_000) }];
    }),
  );
  expect((await Promise.all(reads)).length).toBe(100);
  expect(most).toBe(5);
});
