import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { pino } from "pino";
import { startTestApp, type TestApp } from "../testing/app.ts";

type Line = { method: string; route: string };
type Kind = keyof typeof expected;

let blog: TestApp;
const routes: string[] = [];
beforeAll(async () => {
  const log = pino({}, { write: (line: string) => void routes.push((JSON.parse(line) as Line).route) });
  blog = await startTestApp({ log });
});

const methods = ["GET", "HEAD", "POST", "PATCH", "DELETE"] as const;

const expected = {
  page: ["text/html; charset=utf-8", /^<!doctype html>.*<h1>Page Not Found<\/h1>/s],
  json: [
    "application/json; charset=utf-8",
    /^\{"message":"there is no [A-Z]+ \/api[^"]*","code":"NOT_FOUND"\}$/,
  ],
  text: ["text/plain; charset=utf-8", /^Not Found\n$/],
} as const;

/** The kind of the 404 response of each path to GET and HEAD, and to other methods. */
const paths: [path: string, read: Kind, write: Kind][] = [
  ...["/nothing", "/nothing/", "/posts/details/12/34", "/a%2Fb", "/a%0Ab", "/%E2%80%A8"].map(
    (path): [string, Kind, Kind] => [path, "page", "text"],
  ),
  ...["/.env", "/manifest.json", "/wp-login.php", "/playground/assets/nothing.js"].map(
    (path): [string, Kind, Kind] => [path, "text", "text"],
  ),
  [`/${"x".repeat(5_000)}`, "page", "text"],
  ...["/api", "/api/", "/api/nothing", "/api/posts/like/1/2", "/api/docs/nothing"].map(
    (path): [string, Kind, Kind] => [path, "json", "json"],
  ),
  ["/api-nothing", "page", "text"],
  ["/graphql/", "page", "text"],
  ["/graphql/nothing", "page", "text"],
  ["/playground/", "page", "text"],
  ["/playground/nothing", "page", "text"],
  ["/assets", "page", "text"],
  ["/assets/", "text", "text"],
  ["/assets/nothing.js", "text", "text"],
  ["/media", "page", "text"],
  ["/media/nothing", "text", "text"],
  ["/media/nothing/960.webp", "text", "text"],
  ["/health/nothing", "page", "text"],
  ["/metrics/nothing", "page", "text"],
];

test.for(paths)("%s is not found, in the format of its prefix", async ([path, read, write]) => {
  const warn = vi.spyOn(console, "warn");
  onTestFinished(() => warn.mockRestore());
  for (const method of methods) {
    routes.length = 0;
    const { statusCode, headers, body } = await blog.app.inject({ method, url: path });
    const isRead = method === "GET" || method === "HEAD";
    const [type, text] = expected[isRead ? read : write];
    expect([statusCode, headers["content-type"]], method).toEqual([404, type]);
    expect(body, method).toMatch(method === "HEAD" ? /^$/ : text);
    if (method === "HEAD") expect(Number(headers["content-length"])).toBeGreaterThan(0);
    expect(routes, method).toEqual(["page"]);
  }
  expect(warn).not.toHaveBeenCalled();
});

test("files of the build that are not for visitors are not found", async () => {
  const { body } = await blog.app.inject("/");
  const [script] = /\/assets\/[\w-]+\.js/.exec(body) ?? [];
  for (const [url, kind] of [
    [`${script}.br`, "text"],
    [`${script}.gz`, "text"],
    ["/manifest.json", "text"],
  ] as const) {
    const { statusCode, headers } = await blog.app.inject(url);
    expect([statusCode, headers["content-type"]], url).toEqual([404, expected[kind][0]]);
  }
  const { statusCode, headers } = await blog.app.inject({
    url: String(script),
    headers: { "accept-encoding": "br" },
  });
  expect([statusCode, headers["content-encoding"]]).toEqual([200, "br"]);
});

test("a path that cannot be decoded is refused", async () => {
  for (const url of ["/%", "/%E0%A4%A", "/api/%", "/assets/%"]) {
    const { statusCode, body } = await blog.app.inject({ url });
    expect([statusCode, body], url).toEqual([
      400,
      '{"message":"the address is not well formed","code":"BAD_USER_INPUT"}',
    ]);
  }
});
