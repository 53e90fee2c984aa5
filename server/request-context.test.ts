import type { IncomingMessage } from "node:http";
import fastify, { type FastifyRequest } from "fastify";
import { describe, expect, test } from "vitest";
import type { DependencyTracker } from "./cache/cached-response.ts";
import type { RequestServices } from "./domain/context.ts";
import { contextsFrom } from "./request-context.ts";
import type { TrustRule } from "./env.ts";
import { originOf } from "./http/origin.ts";

const rules: Record<string, TrustRule> = {
  nobody: false,
  "the first hop": (_address, hop) => hop < 1,
  "two hops": (_address, hop) => hop < 2,
  loopback: "loopback",
  networks: "10.0.0.0/8, loopback",
};
const addresses = ["127.0.0.1", "10.1.2.3", "203.0.113.9", "::1"];
const forwarded = [
  undefined,
  "198.51.100.7",
  "198.51.100.7, 10.0.0.5",
  "10.9.9.9, 198.51.100.7",
  "nonsense, 10.0.0.5",
];

describe("the origin of a request equals Fastify's, which trusts", () => {
  test.each(Object.entries(rules))("%s", async (_name, trustProxy) => {
    const app = fastify({ trustProxy }).get("/", async ({ ip }) => ip);
    const { tryWith } = contextsFrom({
      services: {} as RequestServices,
      trustProxy,
      trackerOf: () => undefined,
    });
    for (const remoteAddress of addresses)
      for (const words of forwarded) {
        const headers = words === undefined ? {} : { "x-forwarded-for": words };
        const request = { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
        const origin = await tryWith(request, "/", "test", async (ctx) => ctx.origin);
        const { body } = await app.inject({ url: "/", remoteAddress, headers });
        expect(origin, `${remoteAddress} for ${words}`).toBe(originOf(body));
      }
  });
});

describe("of a request whose response may be cached", () => {
  const visitorContexts = () => {
    const tracker = { tags: new Set(), isTraceable: true } as DependencyTracker;
    const services = { dbOf: () => ({}), now: () => new Date(), queries: { countPosts: async () => 3 } };
    const { visitorContexts } = contextsFrom({
      ...{ services: services as unknown as RequestServices, trustProxy: false },
      trackerOf: () => tracker,
    });
    const raw = { socket: { remoteAddress: "127.0.0.1" }, headers: {} };
    const request = { raw, routeOptions: {} } as unknown as FastifyRequest;
    return { tracker, contexts: visitorContexts(request) };
  };

  test("a read has neither database nor clock, and its queries are tracked", async () => {
    const { tracker, contexts } = visitorContexts();
    const ctx = contexts.read();
    for (const name of ["db", "now", "writes", "likes", "locks", "invalidate"])
      expect(ctx).not.toHaveProperty(name);
    expect(await ctx.queries.countPosts({})).toBe(3);
    expect([[...tracker.tags], tracker.isTraceable]).toEqual([["posts"], true]);
  });

  test("a write is never cached", () => {
    const { tracker, contexts } = visitorContexts();
    expect(contexts.write().db).toBeDefined();
    expect(tracker.isTraceable).toBe(false);
  });
});

test("A44-5: a response from the cache, or without data, does not count as made of what its request has read", () => {
  const headers = { "content-type": "text/html" };
  const tracker = { key: "/", tags: new Set(["posts"]), isPartial: false };
  const { findCachedPage, markPartial } = contextsFrom({
    ...{ services: {} as never, trustProxy: () => false, trackerOf: () => tracker as never },
    responseCache: { findCurrent: () => ({ headers, body: "" }) as never, findStale: () => null },
  });
  const request = { raw: {} } as never;
  expect([findCachedPage(request, "stale"), tracker.tags.size]).toEqual([null, 1]);
  expect([findCachedPage(request, "current")?.headers, tracker.tags.size]).toEqual([headers, 0]);
  tracker.tags.add("posts");
  expect(tracker.isPartial).toBe(false);
  markPartial(request);
  expect(tracker).toMatchObject({ tags: new Set(), isPartial: true });
});
