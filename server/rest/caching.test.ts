import { beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createPost } from "../testing/factories.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp();
  await createPost(blog.db, { userId: maya.id });
});

const get = (url: string, headers: Record<string, string> = {}) => blog.app.inject({ url, headers });

test("a visitor's read has an ETag, and is 304 with a matching If-None-Match", async () => {
  for (const url of ["/api/posts?pageNumber=1", "/api/categories", "/api/posts/count", "/"]) {
    const first = await get(url);
    expect(first.statusCode).toBe(200);
    const tag = String(first.headers.etag);
    expect(tag).toMatch(/"/);
    expect(first.headers["cache-control"]).toBe("no-cache");
    const second = await get(url, { "if-none-match": tag });
    expect([second.statusCode, second.body]).toEqual([304, ""]);
    expect(second.headers["cache-control"]).toBe("no-cache");
  }
});

test("a change changes the ETag", async () => {
  const before = await get("/api/posts?pageNumber=1");
  await createPost(blog.db, { userId: maya.id });
  const after = await get("/api/posts?pageNumber=1", { "if-none-match": String(before.headers.etag) });
  expect(after.statusCode).toBe(200);
});

test("reads with a token, errors and writes are not cacheable", async () => {
  const authorization = `Bearer ${maya.token}`;
  const responses = [
    await get("/api/posts?pageNumber=1", { authorization }),
    await get("/api/users/count"),
    await get("/api/posts/nothing"),
    await blog.app.inject({ method: "POST", url: "/api/auth/login", payload: {} }),
  ];
  for (const { headers } of responses) {
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers.vary).toContain("Authorization");
  }
});
