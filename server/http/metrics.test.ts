import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { openResponseCache } from "../cache/response-cache.ts";
import type { Invalidations } from "../domain/ports.ts";
import { startTestApp } from "../testing/app.ts";
import { VERSION } from "../version.ts";

const listening: Invalidations = {
  publish: () => undefined,
  onChange: () => undefined,
  isListening: () => true,
  close: async () => undefined,
};

const TOKEN = "a-token-of-the-watchers";
const LOCAL = "http://localhost:4000";

describe("/metrics", () => {
  test("counts responses by route pattern, and cache hits", async () => {
    const metrics = [
      { name: "blog_letters_waiting", help: "Letters.", read: async () => 7 },
      {
        name: "blog_away",
        help: "Of a database that is away.",
        read: () => Promise.reject(new Error("away")),
      },
    ];
    const blog = await startTestApp({
      responseCache: openResponseCache(listening, 1e6),
      metrics,
      publicUrl: "http://localhost:4001",
    });
    await blog.app.listen({ port: 0, host: "127.0.0.1" });
    const site = `http://127.0.0.1:${(blog.app.server.address() as AddressInfo).port}`;
    const read = async () => (await fetch(`${site}/metrics`)).text();
    for (let n = 0; n < 3; n++) await fetch(`${site}/api/categories`);
    await fetch(`${site}/api/posts/nothing`);
    const shown = await read();
    expect(shown).toContain(`blog_info{version="${VERSION}",node="${process.version}"} 1\n`);
    expect(await (await fetch(`${site}/health`)).json()).toEqual({ status: "ok", version: VERSION });
    for (const path of ["/health", "/ready"])
      expect((await fetch(site + path)).headers.get("cache-control"), path).toBe("no-store");
    const count = (route: string, status: string) =>
      `http_request_duration_seconds_count{method="GET",route="${route}",status="${status}"}`;
    expect(shown).toContain(`${count("/api/categories", "2xx")} 3\n`);
    const bucket = (le: string) =>
      `http_request_duration_seconds_bucket{le="${le}",method="GET",route="/api/categories",status="2xx"}`;
    const [short = 0, long = 0, all] = ["0.001", "10", "+Inf"].map((le) =>
      Number(shown.split(`${bucket(le)} `)[1]?.split("\n")[0]),
    );
    expect([short <= long, long, all]).toEqual([true, 3, 3]);
    expect(shown).toContain(`${count("/api/posts/:id", "4xx")} 1\n`);
    expect(shown).toMatch(/^blog_response_cache_hits_total 2$/m);
    // The third is the OpenAPI document, which the test app requests first for each public URL.
    expect(shown).toMatch(/^blog_response_cache_misses_total 3$/m);
    expect(shown).toMatch(/^blog_response_cache_entries 1$/m);
    expect(shown).toMatch(/^blog_answers_kept 1$/m);
    expect(shown).toMatch(/^blog_response_cache_bytes \d{4}/m);
    expect(shown).toMatch(/^blog_letters_waiting 7$/m);
    expect(shown).toMatch(/^# TYPE blog_away gauge$/m);
    expect(shown).not.toMatch(/^blog_away /m);
    expect(shown).toMatch(/^blog_http_connections [1-9]/m);
    expect(shown).toMatch(/^process_resident_memory_bytes \d{7}/m);
    expect(await read()).toContain(`${count("/metrics", "2xx")} 1\n`);
  });

  test("is for this machine alone, and refuses requests of a local proxy or of another site's page", async () => {
    const { app } = await startTestApp({ publicUrl: LOCAL });
    const status = async (remoteAddress: string, headers = {}) =>
      (await app.inject({ url: "/metrics", remoteAddress, headers })).statusCode;
    for (const near of ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
      expect(await status(near), near).toBe(200);
    for (const far of ["203.0.113.9", "::ffff:203.0.113.9", "2001:db8::1", "10.127.0.0"])
      expect(await status(far), far).toBe(403);
    for (const name of ["x-forwarded-for", "forwarded", "via", "origin"])
      expect(await status("127.0.0.1", { [name]: "127.0.0.1" }), name).toBe(403);
    for (const host of ["evil.test", "blog.example.org:4000", "127.0.0.1.evil.test"])
      expect(await status("127.0.0.1", { host }), host).toBe(403);
  });

  test("M7: needs the token on a blog with a public address, also for this machine", async () => {
    const { app } = await startTestApp({ publicUrl: "https://blog.example.org" });
    expect((await app.inject({ url: "/metrics", remoteAddress: "127.0.0.1" })).statusCode).toBe(403);
  });

  test("accepts the token from anywhere, and nothing else", async () => {
    const { app } = await startTestApp({ metricsToken: TOKEN });
    const status = async (authorization?: string, remoteAddress = "203.0.113.9") => {
      const headers = authorization === undefined ? {} : { authorization };
      return (await app.inject({ url: "/metrics", remoteAddress, headers })).statusCode;
    };
    expect(await status(`Bearer ${TOKEN}`)).toBe(200);
    expect(await status(undefined, "127.0.0.1")).toBe(401);
    for (const wrong of ["", "Bearer", `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, TOKEN])
      expect(await status(wrong), wrong).toBe(401);
  });
});
