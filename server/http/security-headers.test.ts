import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { createPost } from "../testing/factories.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";

let blog: TestApp;
let pages: string[];
beforeAll(async () => {
  blog = await startTestApp();
  const { id } = await blog.signUp({ username: "Maya" });
  const post = await createPost(blog.db, { userId: id, description: `<script>alert(1)</script> and more` });
  pages = ["/", "/posts", `/posts/details/${post.id}`, `/profile/${id}`, "/login", "/nothing-there"];
});

const policyOf = (header: unknown) =>
  Object.fromEntries(
    String(header)
      .split(";")
      .map((each) => each.trim().split(/ (.*)/).slice(0, 2)),
  ) as Record<string, string>;

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

describe("every page", () => {
  test("allows only its own resources, and inline only one script and one style sheet by hash", async () => {
    for (const path of pages) {
      const { headers, body } = await blog.app.inject(path);
      const [script = ""] = [...body.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text]) => text);
      const [sheet = ""] = [...body.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text]) => text);
      expect(policyOf(headers["content-security-policy"]), path).toEqual({
        "default-src": "'self'",
        "script-src": `'self' ${hashOf(script)}`,
        "style-src": `'self' ${hashOf(sheet)}`,
        "img-src": "'self' data: blob: http://blog.test",
        "font-src": "'self'",
        "connect-src": "'self'",
        "worker-src": "'self'",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "blog worker",
        "report-uri": "/csp-reports",
      });
      expect(headers["permissions-policy"], path).toContain("camera=()");
    }
  });

  test("M6: with a token in its URL is not cached, and sends no referrer", async () => {
    const id = "00000000-0000-0000-0000-000000000000";
    const paths = [`/reset-password/${id}/secret`, `/users/${id}/verify/secret`, "/preview/secret"];
    const spellings = (path: string) => [
      ...[path, `/${path}`, `${path}/`, `/x/..${path}`],
      ...[path.replace(/\w/, (letter) => letter.toUpperCase())],
      path.replace(/\w/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    ];
    for (const url of paths.flatMap(spellings))
      expect((await blog.app.inject({ url, headers: { accept: "text/html" } })).headers, url).toMatchObject({
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-robots-tag": "noindex",
      });
  });

  test("contains only its own scripts and data, no event handlers and no style attributes", async () => {
    for (const path of pages) {
      const { body } = await blog.app.inject(path);
      const scripts = [...body.matchAll(/<script([^>]*)>/g)].map(([, traits = ""]) => traits.trim());
      const others = scripts.filter(
        (traits) => traits !== "" && !/src="\/assets\/|type="application\/(ld\+)?json"/.test(traits),
      );
      expect(others, path).toEqual([]);
      expect(
        scripts.filter((traits) => traits === ""),
        path,
      ).toHaveLength(1);
      expect(body, path).not.toMatch(/<[a-z][^>]*\s(on[a-z]+|style|nonce)=/i);
      expect(body, path).not.toMatch(/(href|src)="(?!http:\/\/blog\.test)(https?:|\/\/|javascript:)/i);
    }
  });
});

const data = ["/api/posts", "/graphql?query={postsCount}", "/api/nothing"];

test("responses to browsers forbid MIME sniffing and framing, and limit the referrer", async () => {
  const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
  for (const path of [...pages, "/health", "/playground", ...data, "/api/docs", "/graphql"]) {
    const { headers } = await blog.app.inject({ url: path, headers: { accept } });
    expect(headers, path).toMatchObject({
      "content-security-policy": expect.stringMatching(/frame-ancestors 'none'/),
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "strict-origin-when-cross-origin",
    });
    expect(headers["x-powered-by"], path).toBeUndefined();
  }
});

test("a data response has a policy that denies everything", async () => {
  for (const path of data) {
    const { headers } = await blog.app.inject(path);
    expect(headers, path).toMatchObject({
      "content-security-policy": "default-src 'none';frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "access-control-allow-origin": "*",
    });
    expect(headers["x-powered-by"], path).toBeUndefined();
  }
});

test("files deny everything but embedding, with few headers", async () => {
  const [asset = ""] = (await readdir("dist/client/assets")).filter((name) => name.endsWith(".woff2"));
  const { headers, statusCode } = await blog.app.inject(`/assets/${asset}`);
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    "content-security-policy": "default-src 'none';frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "cross-origin",
  });
  expect(JSON.stringify(headers).length).toBeLessThan(700);
});

test("HSTS for a year is sent only if the public URL is HTTPS", async () => {
  const secure = await startTestApp({ publicUrl: "https://blog.test" });
  expect((await secure.app.inject("/")).headers["strict-transport-security"]).toContain("max-age=31536000");
  expect((await blog.app.inject("/")).headers["strict-transport-security"]).toBeUndefined();
});
