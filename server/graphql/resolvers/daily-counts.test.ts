import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createCategory, createComment, createPost, createUser } from "../../testing/factories.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let ada: typeof maya;
const longAgo = new Date("2020-01-01T00:00:00Z");
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp({ createdAt: longAgo });
  ada = await blog.signUp({ isAdmin: true, createdAt: longAgo });
});
const now = () => new Date();
afterEach(() => {
  blog.services.now = now;
});

const readCounts = (token: string | null, days?: number) =>
  blog.gql(
    "query ($days: Int! = 30) { dailyCounts(days: $days) { day users posts categories comments } }",
    { days },
    token,
  );

describe("daily counts", () => {
  test("list each day in UTC for admins, empty days included", async () => {
    blog.services.now = () => new Date("2026-03-02T12:00:00Z");
    const at = (text: string) => ({ createdAt: new Date(text) });
    await createUser(blog.db, at("2026-02-27T23:59:59.999Z"));
    const noor = await createUser(blog.db, at("2026-02-28T00:00:00Z"));
    const post = await createPost(blog.db, { userId: noor.id, ...at("2026-02-28T23:59:59.999Z") });
    await createComment(blog.db, { postId: post.id, userId: noor.id, ...at("2026-03-02T08:00:00Z") });
    await createComment(blog.db, { postId: post.id, userId: maya.id, ...at("2026-03-02T09:00:00Z") });
    await createCategory(blog.db, "Craft", new Date("2026-03-01T00:00:00Z"));
    const none = { users: 0, posts: 0, categories: 0, comments: 0 };
    const { body } = await readCounts(ada.token, 3);
    expect(body.data.dailyCounts).toEqual([
      { ...none, day: "2026-02-28", users: 1, posts: 1 },
      { ...none, day: "2026-03-01", categories: 1 },
      { ...none, day: "2026-03-02", comments: 2 },
    ]);
  });

  test("cover 30 days by default, and 90 at most", async () => {
    expect((await readCounts(ada.token)).body.data.dailyCounts).toHaveLength(30);
    expect((await readCounts(ada.token, 90)).body.data.dailyCounts).toHaveLength(90);
    for (const days of [0, 91, -1])
      expect((await readCounts(ada.token, days)).body.errors[0].extensions.code).toBe("BAD_USER_INPUT");
  });

  test("are refused to everybody else", async () => {
    for (const [token, code] of [
      [null, "UNAUTHENTICATED"],
      ["undefined", "UNAUTHENTICATED"],
      [maya.token, "FORBIDDEN"],
    ] as const) {
      const { body } = await readCounts(token);
      expect(body.data).toBeNull();
      expect(body.errors[0].extensions.code).toBe(code);
    }
  });
});
