import { beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});

const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

test("browsers get the explorer at /graphql and /playground, with its own Content-Security-Policy", async () => {
  for (const url of ["/graphql", "/graphql?query={postsCount}", "/playground"]) {
    const answer = await blog.app.inject({ url, headers: html });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answer.headers["cache-control"]).toBe("no-cache");
    expect(answer.headers["content-security-policy"]).toMatch(
      /^default-src 'self';.*frame-ancestors 'none'$/,
    );
    expect(answer.headers["content-security-policy"]).not.toMatch(/script-src|unsafe-eval|http/);
    expect(answer.body).toContain("<title>GraphQL explorer</title>");
    // No inline scripts and no foreign files.
    const [script = "", ...more] = [...answer.body.matchAll(/<script[^>]*src="([^"]+)"/g)].map(
      ([, src]) => src,
    );
    expect(more).toEqual([]);
    const file = await blog.app.inject({ url: script });
    expect([file.statusCode, file.headers["cache-control"]]).toEqual([
      200,
      "public, max-age=31536000, immutable",
    ]);
  }
});

test("other clients get GraphQL responses", async () => {
  for (const accept of ["*/*", "application/json", "application/graphql-response+json"]) {
    const headers = { accept, "content-type": "application/json" };
    const answer = await blog.app.inject({ url: "/graphql?query={postsCount}", headers });
    expect(answer.json()).toEqual({ data: { postsCount: 0 } });
  }
});
