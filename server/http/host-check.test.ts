import { expect, test } from "vitest";
import { startTestApp } from "../testing/app.ts";

const blog = await startTestApp({ trustProxy: (_address, hop) => hop === 0 });

const ask = async (headers: Record<string, string>) => {
  const request = { method: "GET", url: "/graphql?query={__typename}" } as const;
  return (await blog.app.inject({ ...request, headers: { "apollo-require-preflight": "1", ...headers } }))
    .statusCode;
};

const hosts = ["1.2.3.999", "[::::]", "xn--a", "a.1", "08.08.08.08", "a b", "a/b", "a:99999"];

test.each(hosts)("a host that no URL may have is refused: %j", async (host) => {
  expect(await ask({ host })).toBe(400);
  expect(await ask({ "x-forwarded-host": host })).toBe(400);
});

test.each(["ftp", "http:", "https://", "javascript", "é"])(
  "a scheme of a proxy is refused: %j",
  async (scheme) => {
    expect(await ask({ "x-forwarded-proto": scheme })).toBe(400);
  },
);

test.each(["blog.example.org", "localhost:4000", "[::1]:4000", "127.0.0.1", "a_b.internal"])(
  "%s is a host",
  async (host) => {
    expect(await ask({ host })).toBe(200);
    expect(await ask({ "x-forwarded-host": host, "x-forwarded-proto": "https" })).toBe(200);
  },
);
