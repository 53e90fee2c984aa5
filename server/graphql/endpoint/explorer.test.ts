import { beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});

const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

test("browsers get the explorer at /graphql and /playground, with its own Content-Security-Policy", async () => {
  for (const url of ["/graphql", "/graphql?query={postsCount}", "/playground"]) {
    const response = await blog.app.inject({ url, headers: html });
    expect(response.statusCode).toBe(200);
    expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(response.headers["cache-control"]).toBe("no-cache");
    expect(response.headers["content-security-policy"]).toMatch(
      /^default-src 'self';.*frame-ancestors 'none'$/,
    );
    expect(response.headers["content-security-policy"]).not.toMatch(/script-src|unsafe|http/);
    const [, nonce = ""] = /<meta name="style-nonce" content="([^"]{24})">/.exec(response.body) ?? [];
    expect(response.headers["content-security-policy"]).toContain(`style-src 'self' 'nonce-${nonce}';`);
    expect(response.body).not.toContain("demo-login");
    expect(response.body).toContain("<title>GraphQL explorer</title>");
    // No inline scripts and no foreign files.
    const [script = "", ...more] = [...response.body.matchAll(/<script[^>]*src="([^"]+)"/g)].map(
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

test("the page of a demo blog names the demo login, for this machine only", async () => {
  const demo = await startTestApp({ hasDemoLogins: true });
  const pageFor = async (extra: Record<string, string>) =>
    (await demo.app.inject({ url: "/playground", headers: { ...html, host: "localhost:4000", ...extra } }))
      .body;
  expect(await pageFor({})).toContain(
    '<meta name="demo-login" content="demo@example.com read-write-repeat">',
  );
  expect(await pageFor({ "x-forwarded-for": "203.0.113.9" })).not.toContain("demo-login");
});

test("other clients get GraphQL responses", async () => {
  for (const accept of ["*/*", "application/json", "application/graphql-response+json"]) {
    const headers = { accept, "content-type": "application/json" };
    const response = await blog.app.inject({ url: "/graphql?query={postsCount}", headers });
    expect(response.json()).toEqual({ data: { postsCount: 0 } });
  }
});
